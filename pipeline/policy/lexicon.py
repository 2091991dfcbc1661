"""Reading lexicons: TOML files whose long lists are literal blocks, because those load fast.

The format is described in rules/lexicons/README.md.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from pipeline.errors import RulebookError
from pipeline.models.lexicon import Concept, Cue, Lexicon, Lexicons
from pipeline.text.late import compile_late

_Table = dict[str, object]

# file key -> field of Lexicon; words are parted by white space, phrases by line ends, cues are labelled phrases
_WORD_FIELDS = {
    "stop": "stop_words",
    "question": "question_words",
    "light_verbs": "light_verbs",
    "list_openers": "list_openers",
    "copulas": "copulas",
    "singular_copulas": "singular_copulas",
    "adverb_endings": "adverb_endings",
    "derivations": "derivations",
    "verb_endings": "verb_endings",
    "degree_words": "degree_words",
    "verb_followers": "verb_followers",
    "quantity_nouns": "quantity_nouns",
    "conjunctions": "conjunctions",
    "office_words": "office_words",
    "document_nouns": "document_nouns",
    "generic": "generic_nouns",
    "not_cardinal_before": "not_cardinal_before",
    "cardinals": "cardinals",
}
_PHRASE_FIELDS = {
    "instructions": "instruction_cues",
    "instruction_leads": "instruction_leads",
    "instruction_phrases": "instruction_phrases",
    "definition_leads": "definition_leads",
    "exclusions": "exclusion_cues",
    "not_exclusions": "not_exclusions",
    "mention": "mention_cues",
    "references": "reference_cues",
    "deferrals": "deferral_cues",
    "deferral_openers": "deferral_openers",
    "deferral_followers": "deferral_followers",
    "pointers": "pointer_cues",
    "conditions": "condition_cues",
    "difference": "difference_cues",
    "anaphora": "anaphora",
}
_CUE_FIELDS = {
    "intent": "intent_cues",
    "type": "type_cues",
    "unit": "unit_cues",
    "layout": "layout_cues",
    "hint": "hint_cues",
    "join": "join_cues",
    "polarity": "polarity",
    "qualifier": "qualifier_groups",
    "statement_titles": "statement_titles",
    "statement_rows": "statement_rows",
    "formulas": "formulas",
    "rows": "row_labels",
    "calculation": "calculation_cues",
    "operator": "operator_words",
    "value": "value_cues",
    "superlative": "superlatives",
}
_LIMIT_FIELDS = ("max_focus_zipf",)
_REQUIRED_LANGUAGE = "en"
_CONCEPT_LINE = compile_late(r"([^=<@\[]+?)\s*(?:\[(\w+)\]\s*)?(?:@([^=<]*))?(?:<-([^=]*))?(?:=(.*))?")


def load_lexicons(folder: Path) -> Lexicons:
    """Read every `*.toml` of a folder; files of one language add up, the part before the first dot names it.

    Raises RulebookError where a file is missing, no TOML, or has a key that no lexicon knows.
    """
    merged: dict[str, dict[str, object]] = {}
    for path in sorted(folder.glob("*.toml")):
        language = path.name.split(".", 1)[0]
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            fields = merged.setdefault(language, _make_empty(language))
            _merge_table(table, fields, path)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise RulebookError(f"{path.name} is no TOML: {error}", "mend the file") from error
    if _REQUIRED_LANGUAGE not in merged:
        raise RulebookError(f"no English lexicon in {folder}", "restore rules/lexicons/en.toml")
    return Lexicons(languages=tuple(Lexicon.model_validate(merged[language]) for language in sorted(merged)))


def _make_empty(language: str) -> dict[str, object]:
    fields: dict[str, object] = {"language": language}
    for name in (*_WORD_FIELDS.values(), *_PHRASE_FIELDS.values(), *_CUE_FIELDS.values()):
        fields[name] = ()
    return {**fields, "concepts": (), "frequency_bands": ()}


def _merge_table(table: _Table, fields: dict[str, object], path: Path) -> None:
    """Add what one file says to the fields of its language."""
    for key, value in table.items():
        if key == "language" and value == fields["language"]:
            continue
        if key in _LIMIT_FIELDS and isinstance(value, int):
            fields[key] = value
        elif not isinstance(value, dict):
            raise RulebookError(f"{path.name}: unknown key or wrong value: {key}", "see rules/lexicons/README.md")
        else:
            _merge_group(key, value, fields, path)


def _merge_group(key: str, group: _Table, fields: dict[str, object], path: Path) -> None:
    """Add one table of a file; all its values must be text."""
    blocks = {name: text for name, text in group.items() if isinstance(text, str)}
    known = {"words": _WORD_FIELDS, "phrases": _PHRASE_FIELDS}.get(key)
    unknown = [name for name in group if name not in blocks or (known is not None and name not in known)]
    if unknown:
        raise RulebookError(f"{path.name}: unknown or no text: {key}.{unknown[0]}", "see rules/lexicons/README.md")
    if known is not None:
        for name, text in blocks.items():
            fields[known[name]] = tuple(text.split()) if key == "words" else _split_lines(text)
    elif key in _CUE_FIELDS:
        cues = tuple(Cue(label=name, phrases=_split_lines(text)) for name, text in blocks.items())
        fields[_CUE_FIELDS[key]] = (*_keep_cues(fields[_CUE_FIELDS[key]]), *cues)
    elif key == "concepts":
        concepts = (_read_concept(line, name, path) for name, text in blocks.items() for line in _split_lines(text))
        fields["concepts"] = tuple(concepts)
    elif key == "frequencies" and all(name.isascii() and name.isdigit() for name in blocks):
        fields["frequency_bands"] = tuple((int(band), words) for band, words in blocks.items())
    else:
        raise RulebookError(f"{path.name}: unknown table: {key}", "see rules/lexicons/README.md")


def _keep_cues(value: object) -> tuple[Cue, ...]:
    """The cues that files before this one gave."""
    return tuple(cue for cue in value if isinstance(cue, Cue)) if isinstance(value, tuple) else ()


def _split_lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in map(str.strip, text.split("\n")) if line)


def _read_concept(line: str, domain: str, path: Path) -> Concept:
    """Read `name [value type] @ place; place <- input; input = form | form`; all but the name may be left out."""
    match = _CONCEPT_LINE.fullmatch(line)
    if match is None:
        raise RulebookError(f"{path.name}: no concept: {line[:60]}", "see rules/lexicons/README.md")
    name, value_type, places, inputs, forms = match.groups(default="")
    others = (form.strip() for form in forms.split("|"))
    return Concept(
        name=name,
        forms=tuple(dict.fromkeys((name, *(form for form in others if form)))),
        domain=domain,
        places=_split_items(places),
        value_type=value_type or "any",
        inputs=_split_items(inputs),
    )


def _split_items(text: str) -> tuple[str, ...]:
    return tuple(item for item in map(str.strip, text.split(";")) if item)
