"""On generated documents the resolver finds the one place that is meant or none: it never guesses.

The documents have what misleads: a contents page that repeats every number, annexes that count anew, sentences that
begin like captions, tables that go on over the page, and titles that two sections share.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.models.base import Position
from pipeline.structure.around import list_mentions
from pipeline.structure.resolving import resolve_mention
from pipeline.structure.view import DocumentView
from tests.unit.structure.pages import lay_table, make_line, make_section, make_view

TITLES = ("Berths", "Fees", "Keys", "Lamps", "Ropes")
OTHERS = (" of the Master Agreement", " of the Dock Act", " of SP 800-53", " of that report")


class _Document(NamedTuple):
    """A view, the true places by key, and the position of the sentence that refers."""

    view: DocumentView
    places: dict[str, list[Position]]
    sentence: Position


class _Writer:
    """Lines and sections as they are written, page by page."""

    def __init__(self) -> None:
        self.lines: list = []
        self.sections: list = []
        self.starts: list = []
        self.places: dict[str, list[Position]] = {}
        self.page, self.number, self.y = 1, 1, 7200

    def put(self, text: str, **fields: object) -> Position:
        made = make_line(text, self.page, self.number, (7200, self.y), **fields)
        self.lines.append(made)
        self.number += 1
        self.y += 1800
        return made.position

    def turn(self) -> None:
        self.page, self.number, self.y = self.page + 1, 1, 7200

    def begin(self, number: str, title: str, level: int, keys: tuple[str, ...]) -> None:
        start = self.put(f"{number} {title}", bold=True)
        self.starts.append((number, title, level, start))
        for key in (*keys, f"section:{title.lower()}"):
            self.places.setdefault(key, []).append(start)

    def table(self, label: int, is_continued: bool) -> None:
        self.put(f"Table {label} contains what was counted in the year.")
        self.y += 1200
        start = self.put(f"Table {label}. Counts by quay", bold=True)
        self.places.setdefault(f"table:{label}", []).append(start)
        rows = [("Quay", "Count"), ("North", "12"), ("South", "34")]
        self._grid(rows)
        if is_continued:
            self.turn()
            self.put(f"Table {label} (continued)", bold=True)
            self._grid([("Quay", "Count"), ("East", "56"), ("West", "78")])

    def _grid(self, rows) -> None:
        made = lay_table(rows, (7200, 30000), self.page, self.y + 600, self.number)
        self.lines += made
        self.number += len(made)
        self.y = max(line.box[3] for line in made) + 2400

    def finish(self) -> DocumentView:
        end = (self.lines[-1].page, self.lines[-1].number + 1)
        sections = []
        for at, (number, title, level, start) in enumerate(self.starts):
            later = [other[3] for other in self.starts[at + 1 :] if other[2] <= level]
            label = f"Annex {number.split()[1].rstrip('.')}" if number.startswith("Annex") else number.rstrip(".")
            sections.append(make_section(at, title, start, later[0] if later else end, number=label, level=level))
        return make_view(self.lines, sections)


@st.composite
def layered(draw):
    writer = _Writer()
    count = draw(st.integers(2, 4))
    titles = [draw(st.sampled_from(TITLES)) for _ in range(count)]
    if draw(st.booleans()):
        writer.put("Contents", bold=True)
        for number, title in enumerate(titles, 1):
            writer.put(f"{number} {title} ............................ {number + 1}")
        writer.turn()
    tables = draw(st.lists(st.integers(1, 3), max_size=2))
    for number, title in enumerate(titles, 1):
        writer.begin(str(number), title, 1, (f"section:{number}",))
        writer.put("Words of a paragraph that say nothing else.")
        if tables and draw(st.booleans()):
            writer.table(tables.pop(), draw(st.booleans()))
        if draw(st.booleans()):
            writer.turn()
    for letter in "AB"[: draw(st.integers(0, 2))]:
        writer.turn()
        writer.begin(f"Annex {letter}.", draw(st.sampled_from(TITLES)), 1, (f"annex:{letter.lower()}",))
        for number in range(1, draw(st.integers(1, 3)) + 1):
            writer.begin(str(number), draw(st.sampled_from(TITLES)), 2, (f"section:{number}",))
            writer.put("Words of an annex that say nothing else.")
    sentence = writer.put(draw(sentences()))
    return _Document(writer.finish(), writer.places, sentence)


@st.composite
def sentences(draw):
    number = draw(st.integers(1, 6))
    last = number + draw(st.integers(1, 2))
    letter = draw(st.sampled_from("ABC"))
    title = draw(st.sampled_from(TITLES))
    forms = (
        f"It holds as section {number} says.",
        f"It holds as sections {number} to {last} say.",
        f"It holds as sections {number}, {last} and {last + 1} say.",
        f"It holds as section {number} of Annex {letter} says.",
        f"It is listed in Table {number}.",
        f"It is listed in Annex {letter}.",
        f'See "{title}" for more.',
        f"It is as defined in section {number}{draw(st.sampled_from(OTHERS))}.",
        f"The amount follows note b to Table {number}.",
        "It holds as the preceding section says.",
        "It is what the following table lists.",
    )
    return draw(st.sampled_from(forms))


@settings(max_examples=200, deadline=None)
@given(layered())
def test_no_wrong_place_is_returned_when_documents_mislead(document):
    page, number = document.sentence
    text = document.view.document.line_at(page, number).text
    for mention in list_mentions(document.view, document.sentence, (page, number + 1)):
        resolution = resolve_mention(document.view, mention)
        assert (resolution.target is None) == (resolution.state != "resolved")
        assert resolution.why
        if resolution.target is None or mention.key.endswith((":-1", ":+1")):
            continue
        assert not any(other in text for other in OTHERS)
        true = document.places.get(mention.key, [])
        if " of Annex " in text and mention.kind == "section":
            annex = document.places.get(f"annex:{text.split(' of Annex ')[1][0].lower()}", [])
            assert len(annex) == 1
            following = [
                start for key, starts in document.places.items() if key.startswith("annex") for start in starts
            ]
            stop = min((start for start in following if start > annex[0]), default=(10**6, 0))
            true = [start for start in true if annex[0] <= start < stop]
        assert [resolution.target.start] == sorted(set(true)), (text, mention.key)


@settings(max_examples=100, deadline=None)
@given(layered())
def test_a_table_is_where_its_caption_is_when_sentences_and_continuations_name_it(document):
    for key, starts in document.places.items():
        if key.startswith("table:"):
            assert [target.start for target in document.view.registry.find(key)] == sorted(starts)
