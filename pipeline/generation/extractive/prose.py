"""Typed values in sentences: scored by the anchors of the sentence and by how near they stand to what was asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.hits import ValueHit, weigh
from pipeline.generation.extractive.included import keep_asked
from pipeline.generation.extractive.qualifiers import contradicts, find_qualifiers, names_sibling
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.shares import list_shares
from pipeline.generation.extractive.tabled import list_table_lines
from pipeline.generation.extractive.typed import Typed, find_typed
from pipeline.generation.extractive.wanted import asks_change, find_asked_years, list_named_parts
from pipeline.question.terms import cue_of
from pipeline.text.anchors import find_anchor
from pipeline.text.matching import contains_folded, fold
from pipeline.text.tokens import stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.evidence import Evidence
    from pipeline.models.question import Anchor, ValueType

# Weights in thousandths of a full score: what the sentence says, what stands around it, nearness, unit, a direct join.
SHARE_WEIGHT, NEAR_WEIGHT, UNIT_WEIGHT, JOIN_WEIGHT = 600, 250, 150, 100
LENT_PERCENT = 50
RANK_COST, MAX_RANK = 5, 10
# A caption and a number in words ("two different heads") mention an amount more often than they state it.
MENTION_COST = 60
# A sentence that does not say which of several things it is about ("base" or "big") may be about another one.
UNSAID_COST = 120
WORD_COST = 25
MAX_HEAD_WORDS, MAX_DATE_WORDS, MAX_JOIN_WORDS, MAX_REST_WORDS = 12, 6, 5, 8
_JOINS = re.compile(
    r"^\W*(?:scores?|values?|rates?|size)?\W*(?:of|is|was|are|were|at|to|equals?|:|=|\u2248|~)?"
    r"\W*(?:about|approximately)?\W*$"
)
_BRACKETED = re.compile(r"\[[^\]]*\]")
_GROUP = re.compile(r"(?<![\d.,])\d{1,3}[ \u00a0\u202f]$")


class Sight(NamedTuple):
    """A sentence with the anchors in it (`own`), around it (`lent`), and the rank of its evidence."""

    sentence: Sentence
    own: frozenset[str]
    lent: frozenset[str]
    rank: int


def find_prose_hits(task: ReaderTask, value_type: ValueType) -> list[ValueHit]:
    """Values of the type in the sentences of the evidence whose concept fits; unordered."""
    heads = find_heads(task)
    wanted = find_qualifiers(task.part.text, task.view.lexicon)
    hits: list[ValueHit] = []
    least = task.view.lexicon.thresholds.prose_value
    parts = frozenset(anchor.key for anchor in list_named_parts(task)) if task.part.shape == "count" else frozenset()
    for sight in list_prose_sights(task):
        share = _weigh_sight(task, sight)
        if share < least or not any(head.key in sight.own | sight.lent for head in heads):
            continue
        if parts - sight.own:
            continue  # "in Canada" has to be said of a figure: one that stands without it counts something else
        qualifiers = find_qualifiers(sight.sentence.text, task.view.lexicon)
        if contradicts(wanted, qualifiers) or names_sibling(task.part.anchors, sight.sentence.text):
            continue
        for typed, fit in _choose_values(task, sight.sentence.text, heads, value_type):
            score = SHARE_WEIGHT * min(share, 1000) // 1000 + fit - RANK_COST * min(sight.rank, MAX_RANK)
            unsaid = UNSAID_COST * len(wanted - qualifiers)
            score -= MENTION_COST * (_is_caption(task, sight.sentence) + (not any(map(str.isdigit, typed.text))))
            hits.append(
                ValueHit(
                    typed=typed,
                    score=score - unsaid,
                    place=sight.sentence.start,
                    citations=cite_extents(task.view, sight.sentence.extents),
                    matched=tuple(sorted(sight.own)),
                    qualifiers=qualifiers,
                    context=sight.sentence.text,
                    unsaid_cost=unsaid,
                )
            )
    return [hit for hit in hits if hit.citations]


def _choose_values(
    task: ReaderTask, text: str, heads: Sequence[Anchor], value_type: ValueType
) -> list[tuple[Typed, int]]:
    """The value of a sentence that fits best, with its points; its other values are said of something else."""
    # Figures of one sentence share its words; what is said of one of them alone, nearness and unit tell which is meant.
    found = find_typed(text, value_type, task.view.lexicon)
    others = _list_others(task, text) if found and value_type != "date" else frozenset()
    rated = [
        (fit, typed)
        for typed in found
        if typed.start not in others and (fit := _rate_fit(task, text, typed, heads, value_type)) is not None
    ]
    best = max((fit for fit, _ in rated), default=0)
    return [(typed, fit) for fit, typed in rated if fit == best][:1]


def _list_others(task: ReaderTask, text: str) -> frozenset[int]:
    """Where the figures begin that a sentence states of another period or part, or of a change that was not asked."""
    years = find_asked_years(task)
    shares = list_shares(text, task.view.lexicon)
    others = {share.typed.start for share in shares if share.role == "change" and not asks_change(task)}
    others |= {share.typed.start for share in set(shares) - set(keep_asked(task, text, shares))}
    for kind in sorted({share.kind for share in shares}):
        own = [share for share in shares if share.kind == kind]
        said = [_match(task, f"{share.own} {share.common}") for share in own]
        shared = frozenset.intersection(*said)
        best = max(weigh(task.view, task.part.anchors, keys - shared) for keys in said)
        for share, keys in zip(own, said, strict=True):
            is_past = bool(years and share.years) and not share.years & years
            if is_past or (share.is_aligned and weigh(task.view, task.part.anchors, keys - shared) < best):
                others.add(share.typed.start)
    return frozenset(others)


def _weigh_sight(task: ReaderTask, sight: Sight) -> int:
    """What speaks for a sentence: its own anchors, and at half their weight those that only stand around it."""
    own = weigh(task.view, task.part.anchors, sight.own)
    return own + weigh(task.view, task.part.anchors, sight.lent - sight.own) * LENT_PERCENT // 100


def find_heads(task: ReaderTask) -> tuple[Anchor, ...]:
    """The anchors that name what has the value: those that the question names first, all that overlap there."""
    places = []
    asking = {word for cue in task.view.lexicon.type_cues for phrase in cue.phrases for word in phrase.split()}
    if task.part.shape == "definition":
        asking |= frozenset(cue_of(task.view.lexicon.value_cues, "meaning"))
    elif len(task.part.anchors) > 1:
        asking |= frozenset(task.view.lexicon.quantity_nouns)
    for anchor in task.part.anchors:
        if anchor.source == "word" and anchor.forms[0] in asking:
            continue  # "long" of "how long" names nothing, nor do "definition of" and "amount of"
        spans = find_anchor(anchor, task.part.text) if anchor.source not in ("period", "number") else ()
        if spans:
            places.append((spans[0], anchor))
    if not places:
        return task.part.anchors
    # "How many attention heads does the model use": the concept has the value, not the model.
    # "How many steps were the models trained for": what is counted stands first, whatever is known by name.
    is_counted = task.part.shape == "count"
    concepts = [entry for entry in places if entry[1].source == "concept" and not is_counted]
    concepts = concepts or [entry for entry in places if entry[1].source != "identifier"] or places
    first = min(concepts, key=lambda entry: (entry[0][0], -entry[0][1]))
    start, end = first[0]
    return tuple(anchor for span, anchor in places if span[0] < end and span[1] > start)


def _is_caption(task: ReaderTask, sentence: Sentence) -> bool:
    page, line = sentence.start
    extents = (caption.extent for caption in task.view.captions)
    return any(extent.page == page and extent.line_start <= line <= extent.line_end for extent in extents)


def list_prose_sights(task: ReaderTask) -> Iterator[Sight]:
    """The sentences of the evidence outside tables, each once, with the anchors in them and around them."""
    seen: set[tuple[tuple[int, int], str]] = set()
    in_tables = list_table_lines(task)
    for rank, piece in enumerate(task.evidence):
        # Rows of a table read as sentences would join what different cells say.
        lines = [line for line in evidence_lines(task.view, piece) if line.position not in in_tables]
        sentences = split_evidence(lines)
        owned = [_match(task, sentence.text) for sentence in sentences]
        heading = _match(task, _heading_of(task, piece))
        for index, sentence in enumerate(sentences):
            key = (sentence.start, sentence.text)
            if key in seen:
                continue
            seen.add(key)
            lent = heading
            for neighbour in (index - 1, index + 1):
                if 0 <= neighbour < len(sentences) and _leads(sentences[neighbour], sentence):
                    lent = lent | owned[neighbour]
            yield Sight(sentence, owned[index], lent, rank)


def _leads(neighbour: Sentence, sentence: Sentence) -> bool:
    """Whether a neighbour may name what a sentence gives the value of: in its paragraph, without a number of its own.

    A sentence with a number speaks of that number, also where it cannot be read; references in brackets are none.
    """
    has_number = any(char.isdigit() for char in _BRACKETED.sub("", neighbour.text))
    return neighbour.paragraph == sentence.paragraph and not has_number


def _heading_of(task: ReaderTask, piece: Evidence) -> str:
    title = task.view.document.sections[piece.candidate.section].title if piece.candidate.section is not None else ""
    return " ".join((*piece.breadcrumb, title))


def _match(task: ReaderTask, text: str) -> frozenset[str]:
    return frozenset(anchor.key for anchor in task.part.anchors if text and find_anchor(anchor, text))


def _rate_fit(task: ReaderTask, text: str, typed: Typed, heads: Sequence[Anchor], value_type: ValueType) -> int | None:
    """Points for nearness, unit and a direct join; None where the value is of something else or a mere difference."""
    if _is_difference(task, text, typed) or is_of_other(task, text, typed):
        return None
    is_set = text[: typed.start].rstrip().endswith(("=", ":"))
    # The concept may stand in the sentence before ("dropout ... We use a rate of P = 0.1").
    spans = sorted(span for head in heads for span in find_anchor(head, text))
    if not spans and value_type == "number":
        is_said = bool(typed.unit) and _follows_asked(task, text, typed)
        return JOIN_WEIGHT if is_set or is_said or _JOINS.match(text[: typed.start][-4:]) else None
    if not spans:
        spans = sorted(span for anchor in task.part.anchors for span in find_anchor(anchor, text))
    distance, is_after, between = min((_measure(text, typed, span) for span in spans), default=(99, False, ""))
    if distance > (MAX_DATE_WORDS if value_type == "date" else MAX_HEAD_WORDS):
        return None
    is_clear = not re.search(r"\d|[;:]", between)
    is_joined = bool(between.strip()) and bool(_JOINS.match(between)) and not is_after
    is_joined = is_joined or (is_set and is_clear and distance <= MAX_JOIN_WORDS)
    is_counted = is_after and distance <= MAX_JOIN_WORDS and is_clear and _is_noun_phrase(task, between)
    has_unit = _has_unit(typed, heads, is_counted, task)
    is_bare = task.part.shape != "count" and not typed.unit and not between.strip()
    if value_type == "number" and not (has_unit or is_joined or is_bare):
        return None
    near = max(0, NEAR_WEIGHT - WORD_COST * distance)
    return near + (UNIT_WEIGHT if has_unit else 0) + (JOIN_WEIGHT if is_joined else 0)


def is_of_other(task: ReaderTask, text: str, typed: Typed) -> bool:
    """Whether a number is a rest or a part of a name or of a longer number, and so no value of anything asked."""
    if _GROUP.search(text[: typed.start]) and re.match(r"\d{3}(?!\d)", typed.text):
        return True  # "1 234" may be one number, and 234 is not its value
    return _is_rest(task, text, typed) or _is_name_part(task, text, typed)


def _follows_asked(task: ReaderTask, text: str, typed: Typed) -> bool:
    """Whether a value stands right after a word of the question: "It holds 50 millimetres", asked how much it holds."""
    spans = (span for anchor in task.part.anchors for span in find_anchor(anchor, text))
    return any(end <= typed.start and not text[end : typed.start].strip() for _, end in spans)


def _is_name_part(task: ReaderTask, text: str, typed: Typed) -> bool:
    """Whether a number belongs to a name: to one in the question ("WSJ 23"), or as the version of one ("CSF 2.0")."""
    if re.search(r"[A-Z]{2,}[\u00ae\u2122]?\s$", text[: typed.start]) and re.match(r"\d+\.\d+(?!\S*[%\d])", typed.text):
        return True
    spans = (span for anchor in task.part.anchors for span in find_anchor(anchor, text))
    return any(start < typed.start < end or (start == typed.start and end >= typed.end) for start, end in spans)


def _is_noun_phrase(task: ReaderTask, between: str) -> bool:
    """Whether words may stand between a number and the noun that it counts: "8 parallel (layers, or) heads"."""
    small = task.view.lexicon.stop_word_set - frozenset(cue_of(task.view.lexicon.value_cues, "or"))
    return not any(word in small for word in re.findall(r"[^\W_]+", fold(between)))


def _is_rest(task: ReaderTask, text: str, typed: Typed) -> bool:
    """Whether a number counts only a part, a rest or a run: "of these, 30", "the other five", "the last 5"."""
    # "as a result of these goals, we built up a team of 50" counts none of the goals
    lead = " ".join(fold(text[: typed.start]).split()[-MAX_REST_WORDS:])
    if any(contains_folded(cue, lead) for cue in cue_of(task.view.lexicon.value_cues, "subset")):
        return True
    before = lead.split()[-1:]
    rest = cue_of(task.view.lexicon.value_cues, "rest")
    return bool(before) and before[0] in rest and not any(contains_folded(word, fold(task.part.text)) for word in rest)


def _measure(text: str, typed: Typed, span: tuple[int, int]) -> tuple[int, bool, str]:
    """Words between a value and an anchor, whether the anchor stands after it, and the text between."""
    if span[0] >= typed.start and span[1] <= typed.end:
        return 0, True, ""
    is_after = span[0] >= typed.end or span[0] > typed.start
    between = text[typed.end : span[0]] if is_after else text[span[1] : typed.start]
    return len(re.findall(r"[^\W_]+", between)), is_after, between


def _has_unit(typed: Typed, heads: Sequence[Anchor], is_counted: bool, task: ReaderTask) -> bool:
    if is_counted:
        return True
    language = task.view.lexicon.language
    unit = stem(fold(typed.unit), language) if typed.unit else ""
    return bool(unit) and any(
        unit == stem(word, language) for head in heads for form in head.forms for word in form.split()
    )


def _is_difference(task: ReaderTask, text: str, typed: Typed) -> bool:
    """Whether a value is the distance between two others ("by more than 2.0", "0.9 worse"), which was not asked for."""
    lexicon = task.view.lexicon
    cues = (*lexicon.difference_cues, *cue_of(lexicon.value_cues, "apart"))
    if any(contains_folded(cue, fold(task.part.text)) for cue in lexicon.difference_cues):
        return False
    before = fold(text[: typed.start]).split()[-4:]
    after = fold(text[typed.end :]).split()[:2]
    lead = " ".join(before)
    by = cue_of(lexicon.value_cues, "by")
    is_led = any(lead == word or lead.endswith(f" {word}") for word in by) or (
        any(word in before for word in by) and any(lead.endswith(f" {cue}") for cue in cues)
    )
    return is_led or any(contains_folded(cue, " ".join(after).strip(".,;")) for cue in lexicon.difference_cues)
