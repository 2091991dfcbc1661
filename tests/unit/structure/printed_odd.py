"""Lists printed with what gets in their way: floats, notes, plain paragraphs behind them, and marks in a cell."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from pipeline.models.document import Line
from tests.unit.structure.pages import PITCH, make_line
from tests.unit.structure.printed import LEAD, MORE, NOUNS, Flow, Style, styles

FLOATS = ("figure", "table", "footnote", "none")
PLAIN = "The harbour master answers for the books and for whatever is written in them."


@dataclass
class PrintedOdd:
    """The texts of the members, and the lines."""

    texts: list[str]
    lines: list[Line]


def _member(draw: st.DrawFn, name: str, is_last: bool) -> str:
    """One word, a name with commas, a sentence, or a clause with the joiner before the last one."""
    tail = " ".join(MORE[: draw(st.sampled_from((0, 3, 9, 18)))])
    text = draw(st.sampled_from((name, f"{name} {tail}".strip(), f"{name}, ropes, and lamps", f"{name} (of the port)")))
    end = draw(st.sampled_from(("", ".", ";", "; and", ",")))
    return text + ("." if is_last and end else end)


@st.composite
def odd_lists(draw: st.DrawFn) -> PrintedOdd:
    """A flat list with a float or note between two members, and a paragraph of the same indentation behind it."""
    style = draw(styles())
    names = [name.capitalize() for name in draw(st.permutations(NOUNS))[: draw(st.integers(3, 9))]]
    texts = [_member(draw, name, number == len(names) - 1) for number, name in enumerate(names)]
    is_hanging, place = draw(st.booleans()), draw(st.integers(1, len(names) - 1))
    kind = draw(st.sampled_from(FLOATS))
    flow = Flow(1, draw(st.integers(14, 30)), draw(st.integers(2, 6)))
    flow.put(LEAD, 0)
    for ordinal, text in enumerate(texts, 1):
        if ordinal == place + 1:
            _put_float(flow, kind)
        flow.put_marked(style.mark(ordinal), text, 0, is_hanging)
    # without a gap a line at the marks goes on with an item whose lines stand there
    flow.skip(PITCH // 2 if is_hanging and texts[-1][-1:] == "." else PITCH)
    flow.put(PLAIN, 0)
    return PrintedOdd(texts, flow.lines)


def _put_float(flow: Flow, kind: str) -> None:
    if kind == "none":
        return
    if kind == "footnote":
        flow.put_note("7 The gate is closed at night and on Sundays.")
        return
    flow.skip(PITCH)
    flow.reserve(5)
    flow.put("Figure 1. The harbour from above" if kind == "figure" else "Table 1. Dues of the harbour", 0)
    if kind == "table":
        for row in (("Name", "2021", "2022"), ("Fees", "1,204", "998"), ("Dues", "31", "12")):
            flow.put_row(row)
    flow.skip(PITCH)


@st.composite
def definition_lists(draw: st.DrawFn) -> tuple[list[str], list[Line]]:
    """Terms and what they mean, behind a dash or colon, with a mark of each entry or with the term in bold."""
    names = [name.capitalize() for name in draw(st.permutations(NOUNS))[: draw(st.integers(2, 8))]]
    joint = draw(st.sampled_from((" – ", ": ", " — ")))
    is_bold = draw(st.booleans())
    flow = Flow(draw(st.integers(1, 2)), draw(st.integers(12, 30)), draw(st.integers(1, 6)))
    flow.put(LEAD, 0)
    for name in names:
        tail = " ".join(MORE[: draw(st.sampled_from((3, 9, 18)))])
        first = flow.count
        flow.skip(PITCH // 2 if is_bold else 0)
        if is_bold:
            flow.put(f"{name}{joint}things {tail}.", 0)
            flow.embolden(first, len(name) + len(joint.rstrip()))
        else:
            flow.put_marked("•", f"{name}{joint}things {tail}.", 0, True)
    flow.skip(PITCH)
    flow.put(PLAIN, 0)
    return names, flow.lines


@st.composite
def lists_in_cells(draw: st.DrawFn) -> tuple[list[str], list[Line]]:
    """A table of words whose second cells hold lists: the members of one cell are one list."""
    style = Style("bullet", draw(st.sampled_from(("•", "–", "▪"))))
    names = [name.capitalize() for name in draw(st.permutations(NOUNS))[: draw(st.integers(2, 5))]]
    lines: list[Line] = [make_line("The following books lie in the tower of the town:", 1, 1, (7200, 7200))]
    number, y = 2, 9600
    for left in ("Office of the master", "Office of the pilot"):
        lines.append(make_line(left, 1, number, (7200, y)))
        for name in names:
            lines.append(make_line(style.mark(1) + f" {name} of the {left.split()[-1]}", 1, number + 1, (26000, y)))
            number, y = number + 1, y + PITCH
        number, y = number + 1, y + PITCH
    lines.append(make_line(PLAIN, 1, number + 2, (7200, y + PITCH)))
    return names, sorted(lines, key=lambda line: line.position)
