"""Parsing a question: rules over lexicons, total and deterministic."""

from __future__ import annotations

import re
from typing import NamedTuple

from pipeline.errors import QuestionError
from pipeline.models.lexicon import Lexicon, Lexicons
from pipeline.models.question import Decomposition, Pick, Question, SubQuestion
from pipeline.question.anchors import blank_quotes, build_anchors, is_content, merge_anchors
from pipeline.question.clarity import find_clarification
from pipeline.question.cleaning import Cleaned, clean_question, opens_question
from pipeline.question.focus import select_focus, select_members
from pipeline.question.hints import PlacedHint, find_hints
from pipeline.question.language import detect_language
from pipeline.question.operations import read_operation
from pipeline.question.parts import Part, split_parts
from pipeline.question.periods import find_periods, list_period_keys
from pipeline.question.shape import PLACE_KINDS, read_shape
from pipeline.question.terms import Word, cue_of, find_first, split_words
from pipeline.text.matching import fold

_MAX_CHARACTERS = 4000
_MARKS = "?？"


_FIGURES = frozenset({"money", "percent", "number"})
_LISTED = frozenset({"list", "procedure"})
"""Shapes that have members, of which "and which one ..." picks."""


class _Draft(NamedTuple):
    """A part with what was read of it, before parts are joined."""

    part: Part
    words: tuple[Word, ...]
    sub_question: SubQuestion


def parse_question(text: str, lexicons: Lexicons) -> Question:
    """Read a question, statement or noun phrase; raises QuestionError only where there is no word in it."""
    plain = text.strip()
    if not any(char.isalnum() for char in plain):
        raise QuestionError("the question is empty", "ask something in words")
    if len(plain) > _MAX_CHARACTERS:
        raise QuestionError(f"the question is longer than {_MAX_CHARACTERS} characters", "ask something shorter")
    lexicon = lexicons.of(detect_language(plain, lexicons))
    cleaned = clean_question(plain, lexicon)
    hints = find_hints(plain, lexicon)
    drafts = [_draft_part(plain, cleaned, part, hints, lexicon) for part in split_parts(cleaned.core, lexicon)]
    decomposition, sub_questions = _join_parts(drafts, lexicon)
    definitions = [anchor for part in cleaned.definitions for anchor in build_anchors(part, (), lexicon)]
    extra = [anchor for anchor in definitions if anchor.source == "concept"]
    first = sub_questions[0]
    sub_questions = (first.model_copy(update={"anchors": merge_anchors((*first.anchors, *extra))}), *sub_questions[1:])
    anchors = merge_anchors(anchor for part in sub_questions for anchor in part.anchors)
    focus = merge_anchors(anchor for part in sub_questions for anchor in part.focus)
    question = Question(
        text=text,
        language=lexicon.language,
        intent=first.intent,
        shape=first.shape,
        value_type=first.value_type,
        decomposition=decomposition,
        anchors=anchors,
        focus=focus,
        hints=tuple(hint.hint for hint in hints),
        sub_questions=sub_questions,
        exclusions=cleaned.exclusions,
        periods=list_period_keys(plain, find_periods(plain)),
        unit=cleaned.unit,
        instructions=cleaned.instructions,
        asks_for_references=find_first(lexicon.reference_cues, split_words(cleaned.core, lexicon)) is not None,
    )
    return question.model_copy(update={"clarification": find_clarification(question, cleaned.core, lexicon)})


def _draft_part(plain: str, cleaned: Cleaned, part: Part, hints: tuple[PlacedHint, ...], lexicon: Lexicon) -> _Draft:
    core = cleaned.core[part.start : part.end]
    words = split_words(core, lexicon)
    placed = [
        hint._replace(start=hint.start - part.start, end=hint.end - part.start)
        for hint in hints
        if part.start <= hint.start and hint.end <= part.end
    ]
    content = _blank_reference_tail(core, words, lexicon)
    anchors = build_anchors(content, placed, lexicon)
    focus = select_focus(anchors, split_words(content, lexicon), lexicon)
    if not focus and read_operation(core, lexicon).is_any:
        focus = select_members(words, lexicon)
        anchors = merge_anchors((*anchors, *focus))
    # where a place is named, only what must occur decides: "what does section 5 argue" needs no "argue"
    names_place = any(hint.hint.kind in PLACE_KINDS for hint in placed)
    is_statement = not opens_question(words, lexicon) and not plain.rstrip().endswith(tuple(_MARKS))
    shape = read_shape(split_words(blank_quotes(core), lexicon), placed, lexicon, is_statement)
    sub_question = SubQuestion(
        id="q0",
        text=_tidy(core) or plain,
        intent=shape.intent,
        shape=shape.shape,
        value_type=shape.value_type,
        anchors=anchors,
        focus=tuple(anchor for anchor in focus if anchor.is_required) if names_place else focus,
        expected_count=shape.expected_count,
    )
    return _Draft(part, words, sub_question)


def _blank_reference_tail(core: str, words: tuple[Word, ...], lexicon: Lexicon) -> str:
    """A part without ", including what it refers to": that asks for references, and names nothing to look for.

    Offsets stay as they are. The tail is kept where nothing would be left to ask for.
    """
    cue = find_first(lexicon.reference_cues, words)
    start = core.rfind(",", 0, words[cue.first].start) if cue is not None else -1
    if start < 0 or not any(is_content(word, lexicon) for word in words if word.end <= start):
        return core
    return core[:start] + " " * (len(core) - start)


def _tidy(core: str) -> str:
    """A part as it reads without what was blanked in it."""
    plain = re.sub(r"\(\s*\)", " ", core.replace("|", " "))
    plain = re.sub(r"\s+([,;:.?!])", r"\1", " ".join(plain.split()))
    return re.sub(r",(?:\s*,)+", ",", plain).strip(" ,;:?？.")


def _join_parts(drafts: list[_Draft], lexicon: Lexicon) -> tuple[Decomposition, tuple[SubQuestion, ...]]:
    """Number the parts, let later ones inherit the subject, and read how they hang together."""
    subject = drafts[0].sub_question
    joined: list[SubQuestion] = []
    links: list[Decomposition] = []
    for draft in drafts:
        own, link = draft.sub_question, draft.part.link
        if link == "list_then_pick" and joined and joined[-1].shape in _LISTED:
            pick_anchors = tuple(anchor for anchor in own.anchors if anchor.key not in {a.key for a in subject.anchors})
            joined[-1] = joined[-1].model_copy(update={"pick": Pick(text=own.text, anchors=pick_anchors)})
            links.append(link)
            continue
        is_anaphoric = bool(joined) and find_first(lexicon.anaphora, draft.words) is not None
        if joined and (link in ("unified", "conditional") or is_anaphoric or not own.focus):
            own = _inherit(_name_figure(draft, subject, lexicon), subject, is_anaphoric)
        update: dict[str, object] = {"id": f"q{len(joined) + 1}"}
        if joined and link in ("list_then_pick", "conditional", "sequential"):
            update |= {"depends_on": (joined[-1].id,), "is_optional": link == "conditional"}
            link = "sequential" if link == "list_then_pick" else link
        joined.append(own.model_copy(update=update))
        if len(joined) > 1:
            links.append(link)
    decomposition = links[0] if links else "single"
    if not links and (split := _split_identifiers(joined[0])):
        return "independent", split
    return decomposition, tuple(joined)


def _name_figure(draft: _Draft, subject: SubQuestion, lexicon: Lexicon) -> SubQuestion:
    """A later part that asks how a figure of the first one moved, with its name: "how did it change from 2019".

    What it asks is a figure then, which no reader finds by "it".
    """
    own = draft.sub_question
    place = find_first(lexicon.anaphora, draft.words)
    figure = next((anchor for anchor in subject.anchors if anchor.source == "concept"), None)
    openers = cue_of(lexicon.value_cues, "movement openers")
    is_moved = fold(own.text).startswith(openers) and own.intent == "lookup" and subject.value_type in _FIGURES
    if place is None or figure is None or not is_moved:
        return own
    pronoun = " ".join(word.text for word in draft.words[place.first : place.stop])
    text = re.sub(rf"\b{re.escape(pronoun)}\b", figure.text, own.text, count=1)
    return own.model_copy(update={"text": text, "shape": "value", "value_type": subject.value_type})


def _inherit(part: SubQuestion, subject: SubQuestion, is_anaphoric: bool) -> SubQuestion:
    """A later part with the anchors of the first; "how does it work" is about its focus too."""
    anchors = merge_anchors((*part.anchors, *subject.anchors))
    focus = merge_anchors((*part.focus, *subject.focus)) if is_anaphoric else part.focus or subject.focus
    return part.model_copy(update={"anchors": anchors, "focus": focus})


def _split_identifiers(part: SubQuestion) -> tuple[SubQuestion, ...]:
    """One part an identifier for "what are d_model and d_k": each has its own value."""
    named = [anchor for anchor in part.anchors if anchor.source == "identifier" and ":" not in anchor.key]
    if len(named) < 2 or len(named) != len(part.anchors) or part.intent not in ("lookup", "definition", "listing"):
        return ()
    return tuple(
        part.model_copy(
            update={
                "id": f"q{number}",
                "text": anchor.text,
                "intent": "lookup",
                "shape": "value" if "_" in anchor.text else "text",
                "anchors": (anchor,),
                "focus": tuple(item for item in part.focus if item.key == anchor.key),
                "expected_count": None,
            }
        )
        for number, anchor in enumerate(named, start=1)
    )
