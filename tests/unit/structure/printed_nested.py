"""Lists of up to three levels printed by hand: any mixture of marks, also the same one on every level."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st

from pipeline.models.document import Line
from tests.unit.structure.pages import PITCH
from tests.unit.structure.printed import AFTER, LEAD, MORE, NOUNS, ROMAN, Flow, Style

INDENTS = (2, 4, 6)
LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")
STYLES = (
    *(Style("bullet", mark) for mark in ("•", "–", "o", "*", "◦", "▪", "☐", "➢")),
    *(Style(kind, frame) for kind in ("number", "letter", "roman", "upper") for frame in ("{}.", "{})", "({})")),
)


@dataclass
class Node:
    """A member with its level and the members below it."""

    text: str
    level: int
    below: list[Node] = field(default_factory=list)

    def walk(self) -> list[tuple[str, int]]:
        """(text, level) of the member and all below it, as printed."""
        return [(self.text, self.level), *(pair for node in self.below for pair in node.walk())]


@dataclass
class PrintedTree:
    """The members, the marks of each level, and the lines."""

    nodes: list[Node]
    styles: list[Style]
    lines: list[Line]

    @property
    def expected(self) -> list[tuple[str, int]]:
        """(text, level) of all members as printed."""
        return [pair for node in self.nodes for pair in node.walk()]


def mark_of(style: Style, ordinal: int) -> str:
    """The mark of the n-th member, capital letters too."""
    if style.kind == "upper":
        return style.frame.format(LETTERS[ordinal - 1].upper())
    if style.kind == "roman":
        return style.frame.format(ROMAN[ordinal - 1])
    return style.mark(ordinal)


@st.composite
def trees(draw: st.DrawFn, depth: int, level: int = 0) -> list[Node]:
    """Members of one level; some have members below them, at least two where there are any."""
    names = draw(st.permutations(NOUNS))[: draw(st.integers(2, 6 if level == 0 else 4))]
    nodes = []
    for name in names:
        tail = " ".join(MORE[: draw(st.sampled_from((0, 3, 9, 18)))])
        below = draw(trees(depth, level + 1)) if level + 1 < depth and draw(st.booleans()) else []
        nodes.append(Node(f"{name.capitalize()} {tail}".strip(), level, below))
    return nodes


@st.composite
def printed_trees(draw: st.DrawFn) -> PrintedTree:
    """A nested list on pages of one or two columns, cut wherever a column ends."""
    depth = draw(st.integers(2, 3))
    styles = [draw(st.sampled_from(STYLES)) for _ in range(depth)]
    if draw(st.integers(0, 3)) == 0:
        styles = [styles[0]] * depth
    nodes = draw(trees(depth))
    indent, is_hanging = draw(st.sampled_from(INDENTS)), draw(st.booleans())
    columns, rows, used = draw(st.integers(1, 2)), draw(st.integers(8, 30)), draw(st.integers(1, 6))
    flow = Flow(columns, rows, used)
    if columns > 1:
        # text at the edge of each column shows how far its members are set in
        flow.fill(rows - used + 2)
    flow.put(LEAD, 0)
    _put_level(flow, nodes, styles, (indent, is_hanging))
    flow.skip(PITCH)
    flow.put(AFTER, 0)
    return PrintedTree(nodes, styles, flow.lines)


def _put_level(flow: Flow, nodes: list[Node], styles: list[Style], how: tuple[int, bool]) -> None:
    indent, is_hanging = how
    for ordinal, node in enumerate(nodes, 1):
        mark = mark_of(styles[node.level], ordinal)
        flow.put_at(mark, node.text, indent * node.level, is_hanging)
        _put_level(flow, node.below, styles, how)
