"""Greek letters and their names: "beta2" and "β2" are one symbol."""

from __future__ import annotations

from pipeline.text.late import compile_late

_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi "
    "psi omega"
)
# the final sigma folds to the common one
_LETTERS = dict(zip(_NAMES.split(), "αβγδεζηθικλμνξοπρστυφχψω", strict=True))
_SPELLED = {letter: name for name, letter in _LETTERS.items()}
_PARTS = compile_late(r"([a-z]+?)(?:[-_]([a-z0-9]{1,4})|(\d{1,2}))?|([\u03b1-\u03c9])[-_]?([a-z0-9]{0,4})")


def spell_symbol(folded: str) -> tuple[str, ...]:
    """The other spellings of a folded symbol, its letter by name or by sign; none where it holds no Greek letter.

    An index may follow: "beta2", "beta_2" and "beta-2" are "β2", "epsilon_ls" is "εls".
    """
    match = _PARTS.fullmatch(folded)
    if match is None:
        return ()
    index = match[2] or match[3] or match[5] or ""
    if match[4]:
        name, letter = _SPELLED.get(match[4], ""), match[4]
    else:
        name, letter = match[1], _LETTERS.get(match[1], "")
    if not name or not letter:
        return ()
    spellings = (
        f"{letter}{index}",
        *((f"{name}{index}", f"{name}_{index}", f"{letter}_{index}") if index else (name,)),
    )
    return tuple(spelling for spelling in dict.fromkeys(spellings) if spelling != folded)


def is_greek(text: str) -> bool:
    """Whether a text begins with a Greek letter."""
    return "α" <= text[:1] <= "ω"
