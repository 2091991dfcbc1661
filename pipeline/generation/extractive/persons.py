"""Who did or is something: a name that a sentence joins to the verb or role in question, never a mere neighbour."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.generation.extractive.citing import cite_extents
from pipeline.generation.extractive.hits import ValueHit, weigh
from pipeline.generation.extractive.qualifiers import find_qualifiers
from pipeline.generation.extractive.sentences import Sentence, evidence_lines, split_evidence
from pipeline.generation.extractive.typed import Typed
from pipeline.question.terms import cue_of, split_words
from pipeline.structure.names import is_person
from pipeline.text.anchors import find_anchor
from pipeline.text.late import compile_late
from pipeline.text.matching import fold

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.generation.extractive.reading import ReaderTask
    from pipeline.models.question import Anchor

SHARE_WEIGHT, JOINED_WEIGHT = 600, 350
RANK_COST, MAX_RANK, BEFORE_DEED = 5, 10, 3
_WORD = r"[A-Z][\w'\u2019.-]*\w"
_NAME = rf"{_WORD}(?:,? (?:(?:of|and|for|the|de|da|van|von|&) (?:the )?)?{_WORD}|,? [A-Z]\.)*"
_BEFORE_VERB = compile_late(rf"(?P<name>{_NAME})(?:,? (?:has|have|had|also|then|who|also then))*\s*$")
_BEFORE_ROLE = compile_late(rf"(?P<name>{_NAME})(?:,| is| was| are| were| serves as|, as)(?: the| our| a| an)?\s*$")
_LONE, _LONE_END = compile_late(r"(?:^|\s)[A-Z] [A-Z]{2,}"), compile_late(r"(?:^|\s)[A-Z]\s$")
_POSSESSIVE = compile_late(r"['\u2019]s?$")
_AFTER = compile_late(rf"^[^.;:]{{0,40}}?\bby (?:the |our )?(?P<name>{_NAME})")
_BY = compile_late(r"^[^.;:]{0,40}?\bby\b")
_ROLE = compile_late(rf"^\s*(?:[:,\u2013\u2014-]|is|was|are)\s*(?:the |our )?(?P<name>{_NAME})")


def find_person_hits(task: ReaderTask) -> list[ValueHit]:
    """Names that stand before the asked verb or role, after it with "by", or next to a role; unordered."""
    hits: list[ValueHit] = []
    if fold(task.part.text).startswith(cue_of(task.view.lexicon.value_cues, "person acted on")):
        return hits
    signing = cue_of(task.view.lexicon.value_cues, "signs")
    if all(anchor.forms[0] in signing for anchor in task.part.anchors):
        # "who signed" names nothing that was signed: any sentence with the verb would do
        return hits
    offices = {concept.name for concept in task.view.lexicon.concepts if concept.domain == "officers"}
    is_office = any(anchor.source == "concept" and anchor.key in offices for anchor in task.part.anchors)
    for rank, sentence in _list_sentences(task):
        keys = frozenset(anchor.key for anchor in task.part.anchors if find_anchor(anchor, sentence.text))
        share = weigh(task.view, task.part.anchors, keys)
        name = _find_name(task, sentence.text) if share >= task.view.lexicon.thresholds.person else None
        if name is not None and is_office and not is_person(name.text, task.view.lexicon):
            # "34th Street" holds no office, and neither does "CFO and COO"
            continue
        citations = cite_extents(task.view, sentence.extents) if name is not None else ()
        if name is None or not citations:
            continue
        hits.append(
            ValueHit(
                typed=name,
                score=SHARE_WEIGHT * share // 1000 + JOINED_WEIGHT - RANK_COST * min(rank, MAX_RANK),
                place=sentence.start,
                citations=citations,
                matched=tuple(sorted(keys)),
                qualifiers=find_qualifiers(sentence.text, task.view.lexicon),
                context=sentence.text,
            )
        )
    return hits


def _list_sentences(task: ReaderTask) -> Iterator[tuple[int, Sentence]]:
    for rank, piece in enumerate(task.evidence):
        for sentence in split_evidence(evidence_lines(task.view, piece)):
            yield rank, sentence


def _find_name(task: ReaderTask, text: str) -> Typed | None:
    # A name next to a verb is its subject or agent; next to a role it needs a comma or a form of "to be".
    spans = sorted({span for anchor in task.part.anchors for span in find_anchor(anchor, text)})
    deed = find_deed(task)
    verbs = set(find_anchor(deed, text)) if deed is not None else set()
    roles = {span for anchor in task.part.anchors if _is_role(task, anchor) for span in find_anchor(anchor, text)}
    for start, end in spans:
        is_verb = (start, end) in verbs
        if not is_verb and (start, end) not in roles:
            continue
        tries = (
            ((_BEFORE_VERB if is_verb else _BEFORE_ROLE).search(text[:start]), 0),
            ((_AFTER if is_verb else _ROLE).search(text[end:]), end),
        )
        for found, offset in tries:
            if found is None:
                continue
            first, last = found.start("name") + offset, found.end("name") + offset
            name = _trim_name(task, text[first:last])
            if offset == 0 and not text[:first].strip() and _is_common(task, name):
                continue
            # "R EED H ASTINGS" is set in capitals of two sizes: what is left of it is no name
            if _LONE_END.search(text[:first]) or _LONE.search(name):
                continue
            is_asked = any(begin < last and stop > first for begin, stop in spans)
            if name and not is_asked:
                start_of = text.index(name, first)
                return Typed(start_of, start_of + len(name), name, name, "", None)
    return None


def find_deed(task: ReaderTask) -> Anchor | None:
    """What somebody did: a plain verb in small letters ("proposed") that no other word of content stands before.

    In "who meets the owners" the owners are no deed, whatever their ending.
    """
    lexicon = task.view.lexicon
    placed = [(spans[0], anchor) for anchor in task.part.anchors if (spans := find_anchor(anchor, task.part.text))]
    words = [(span, anchor) for span, anchor in placed if anchor.source == "word" and anchor.text.islower()]
    telling = [each for each in words if each[1].forms[0] not in lexicon.generic_set | lexicon.document_noun_set]
    first = min(telling, key=lambda each: each[0], default=None)
    return first[1] if first is not None and first[1].text.endswith(("ed", "s", "es")) else None


def says_deed(task: ReaderTask, text: str) -> bool:
    """Whether a sentence may say who did what is asked: not "developers", nor "is developed" without a word by whom."""
    deed = find_deed(task)
    if deed is None:
        return True
    cues = task.view.lexicon.value_cues
    endings, passive = cue_of(cues, "doer endings"), cue_of(cues, "passive words")
    folded = fold(text)
    spans = find_anchor(deed, folded)
    for start, end in spans:
        if folded[start:end].endswith(endings):
            continue
        is_passive = any(word in passive for word in folded[:start].split()[-BEFORE_DEED:])
        if not is_passive or _BY.match(folded[end:]):
            return True
    return False


def _is_role(task: ReaderTask, anchor: Anchor) -> bool:
    """Whether an anchor may be what somebody is: anything in "who is the <role>", else only an office."""
    lexicon = task.view.lexicon
    words = split_words(task.part.text, lexicon)
    is_holder = len(words) > 1 and words[1].folded in lexicon.copula_set
    return is_holder or bool(set(anchor.key.split()) & lexicon.office_word_set)


def _is_common(task: ReaderTask, name: str) -> bool:
    """Whether a single word is capitalised only because it opens the sentence ("Additionally")."""
    return " " not in name and task.view.lexicon.zipf_of(name.casefold()) > 0


def _trim_name(task: ReaderTask, name: str) -> str:
    """A name without the function words that only a sentence's beginning wrote with a capital."""
    lexicon = task.view.lexicon
    words = name.split()
    if words:
        words[-1] = _POSSESSIVE.sub("", words[-1])
    while words and (words[0].casefold() in lexicon.stop_word_set or words[0].casefold() in lexicon.question_words):
        words = words[1:]
    return " ".join(words)
