"""Parsing as a whole: total, deterministic, and right about shapes, parts and what is set aside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import QuestionError
from pipeline.policy.lexicon import load_lexicons
from pipeline.question.parse import parse_question

ROOT = Path(__file__).resolve().parents[3]
LEXICONS = load_lexicons(ROOT / "rules" / "lexicons")
PIECES = (
    "What is", "the", "deductible", "and", "which one", ",", "?", "excluding", "Section 4.2", "FY2018", "GV.SC-01",
    "page 12", "how many", "if so", "Answer in USD millions.", ":", "not", "什么是", "quais são", "\u00ad", "\n", "|",
    "'s", '"', "(",
)  # fmt: skip


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=14).map(" ".join)))
def test_any_text_becomes_a_question_when_it_holds_a_letter_or_digit(text):
    if not any(char.isalnum() for char in text.strip()):
        with pytest.raises(QuestionError):
            parse_question(text, LEXICONS)
        return
    question = parse_question(text, LEXICONS)
    assert question.sub_questions
    assert [part.id for part in question.sub_questions] == [f"q{n + 1}" for n in range(len(question.sub_questions))]
    for part in question.sub_questions:
        keys = [anchor.key for anchor in part.anchors]
        assert len(keys) == len(set(keys))
        assert {anchor.key for anchor in part.focus} <= set(keys) | {a.key for a in question.focus}
        assert all(0 < anchor.weight <= 1000 and anchor.forms for anchor in part.anchors)
        assert set(part.depends_on) <= {other.id for other in question.sub_questions} - {part.id}


def test_the_same_question_is_read_when_hashes_are_seeded_differently():
    code = (
        "from pathlib import Path;from pipeline.policy.lexicon import load_lexicons;"
        "from pipeline.question.parse import parse_question;"
        "print(parse_question('What are all the fees, and which one covers late payment by 5 May 2021?',"
        "load_lexicons(Path('rules/lexicons'))).model_dump_json())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize("text", ["", "   ", "?!", "\u200b \n", "x" * 5000])
def test_an_error_with_a_remedy_is_raised_when_there_is_nothing_to_read(text):
    with pytest.raises(QuestionError) as caught:
        parse_question(text, LEXICONS)
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "intent", "shape", "value_type"),
    [
        ("What is the deductible?", "lookup", "value", "money"),
        ("What is balance billing?", "definition", "definition", "any"),
        ("What does 'adequate security' mean?", "definition", "definition", "any"),
        ("List the seven principles.", "listing", "list", "any"),
        ("Which access rules apply to visitors?", "listing", "list", "any"),
        ("What is the FY2016 COGS for Acme?", "lookup", "value", "money"),
        ("How many encoder blocks does the small model use?", "count", "count", "number"),
        ("How many days of notice are needed?", "lookup", "value", "duration"),
        ("Must logs be encrypted?", "yes_no", "boolean", "any"),
        ("Backups are encrypted and must be tested yearly.", "yes_no", "boolean", "any"),
        ("Data retention period", "lookup", "value", "duration"),
        ("On which page is Table 4?", "where", "place", "any"),
        ("What is clause 7.3 about?", "section", "section", "any"),
        ("What begins on printed page 9?", "section", "section", "any"),
        ("How do I file a complaint?", "procedure", "procedure", "any"),
        ("What are the differences between the two plans?", "comparison", "comparison", "any"),
        ("Why was the plant closed?", "reason", "text", "any"),
        ("Summarize the document.", "summary", "text", "any"),
        ("When does the lease end?", "lookup", "value", "date"),
        ("Who approves exceptions?", "lookup", "value", "person"),
        ("What percentage of staff attended?", "lookup", "value", "percent"),
        ("How much total current assets did Acme have?", "lookup", "value", "money"),
        ("Which of the segments had the highest revenue?", "lookup", "text", "any"),
        ("What is d_ff?", "lookup", "value", "any"),
        ("What's the effective date?", "lookup", "value", "date"),
        ("Which unit deals with outages?", "lookup", "text", "any"),
        ("Badges are worn at all times", "yes_no", "boolean", "any"),
        ('What does section "Why We Care" argue?', "section", "section", "any"),
        ("Give me a summary of section 3.2.", "section", "section", "any"),
        ("Among all of the loans, which one had the highest rate?", "lookup", "text", "any"),
        ("What does REQ-012 cover?", "lookup", "text", "any"),
    ],
)
def test_the_shape_is_read_when_a_cue_or_the_noun_gives_it(parse, text, intent, shape, value_type):
    part = parse(text).sub_questions[0]
    assert (part.intent, part.shape, part.value_type) == (intent, shape, value_type)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What are the three security objectives?", 3),
        ("Name the 5 pillars.", 5),
        ("What are all the pillars?", None),
        ("List the fees over the three years.", None),
        ("What is the three month fee?", None),
    ],
)
def test_a_number_of_members_is_expected_when_it_counts_a_plural(parse, text, expected):
    assert parse(text).sub_questions[0].expected_count == expected


@pytest.mark.parametrize(
    ("text", "decomposition", "count"),
    [
        ("Which optimizer was used?", "single", 1),
        ("What is d_model and what is d_k?", "independent", 2),
        ("What are d_model and d_k?", "independent", 2),
        ("Which optimizer was used and with how many warmup steps?", "unified", 2),
        ("What are all the fees, and which one covers late payment?", "list_then_pick", 1),
        ("Does the lease mention pets? If so, what is the deposit?", "conditional", 2),
        ("Which section defines outage, and what does that section say about credits?", "sequential", 2),
        ("What services and exceptions are covered?", "single", 1),
        ("Among leasing, lending and advice, which brought in the most?", "single", 1),
        ("What is an appeal and when can you submit one?", "independent", 2),
    ],
)
def test_the_question_is_split_when_its_parts_ask_for_different_things(parse, text, decomposition, count):
    question = parse(text)
    assert (question.decomposition, len(question.sub_questions)) == (decomposition, count)


def test_the_pick_keeps_its_own_anchors_when_a_list_is_asked_first(parse):
    part = parse("What are all the Categories under GOVERN, and which one covers supply chain risk?").sub_questions[0]
    assert part.shape == "list"
    assert part.pick is not None
    assert [anchor.text for anchor in part.pick.anchors] == ["supply chain risk"]
    assert "supply chain risk" not in [anchor.text for anchor in part.anchors]


def test_a_later_part_inherits_the_subject_when_it_has_a_pronoun_only(parse):
    first, second = parse("What is coinsurance and how does it work?").sub_questions
    assert first.focus[0].key == "coinsurance"
    assert [anchor.key for anchor in second.focus] == ["coinsurance"]


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("Assume that you are an analyst. What is the rent? Answer in USD millions.", "What is the rent"),
        ("Using the cash flow statement, answer the following question: what is the capex?", "what is the capex"),
        ("According to the details in the balance sheet, what are total assets?", "what are total assets"),
        (
            "What is the margin? If margin is not a useful metric, then please state that and explain why.",
            "What is the margin",
        ),
        ("Which charges apply according to the text?", "Which charges apply"),
    ],
)
def test_instructions_are_set_aside_when_they_stand_around_the_question(parse, text, core):
    question = parse(text)
    assert [part.text for part in question.sub_questions] == [core]
    assert question.clarification is None


def test_hints_units_and_definitions_are_kept_when_instructions_hold_them(parse):
    question = parse(
        "What is the FY2021 payout ratio of Acme? Define it as dividends divided by net income. Answer in USD "
        "millions. Use only the statement of cash flows."
    )
    assert question.unit == "USD millions"
    assert [hint.key for hint in question.hints] == ["statement:cash flow statement"]
    assert {"dividends", "net income"} <= {anchor.key for anchor in question.anchors}
    assert question.periods == ("2021",)


@pytest.mark.parametrize(
    "text", ["Define confidentiality.", "List the duties in the text.", "Calculate the quick ratio."]
)
def test_an_instruction_is_the_question_when_nothing_else_is_asked(parse, text):
    question = parse(text)
    assert question.focus or question.anchors
    assert question.instructions == ()


@pytest.mark.parametrize(
    ("text", "exclusion", "unasked"),
    [
        ("What is the copay, not including the deductible?", "not including the deductible", "deductible"),
        ("What are the penalties, other than late fees, for early exit?", "other than late fees", "fee"),
        ("If we exclude the merger, which segment grew?", "If we exclude the merger", "merger"),
        (
            "How did sales change, excluding freight, tax and one-off items?",
            "excluding freight, tax and one-off items",
            "tax",
        ),
    ],
)
def test_exclusions_never_become_anchors_when_they_are_named(parse, text, exclusion, unasked):
    question = parse(text)
    assert question.exclusions == (exclusion,)
    assert unasked not in {anchor.key for anchor in question.anchors}


@pytest.mark.parametrize(
    "text",
    ["What services are covered and not covered?", "What does the maximum include and exclude?", "What is excluded?"],
)
def test_nothing_is_excluded_when_the_question_is_about_exclusion(parse, text):
    assert parse(text).exclusions == ()


@pytest.mark.parametrize(
    "text",
    ["What's the cap?", "What does it say?", "Tell me about it", "Is there a limit?", "What about 2018?", "Why?"],
)
def test_a_clarification_is_asked_when_nothing_specific_is_left(parse, text):
    assert parse(text).clarification


@pytest.mark.parametrize(
    "text",
    ["What is the deductible?", "What is the cap on liability?", "What is section 5 about?", "Summarize the document.",
     "What does GV.SC-01 say?", "Encryption of data at rest is required.", "What is the annual revenue?"],
)  # fmt: skip
def test_no_clarification_is_asked_when_something_specific_is_named(parse, text):
    assert parse(text).clarification is None


def test_references_are_asked_for_when_a_cue_says_so(parse):
    assert parse("Which standards are referenced in section 4?").asks_for_references
    assert not parse("What is the deductible?").asks_for_references


@pytest.mark.parametrize(
    ("text", "language", "intent"),
    [
        ("Quais são os três objetivos?", "pt", "listing"),
        ("O que diz o contrato sobre a rescisão?", "pt", "lookup"),
        ("Em que página está a Figura 2?", "pt", "where"),
        ("合同的责任上限是多少？", "zh", "lookup"),
        ("列出所有安全目标", "zh", "listing"),
        ("什么是多因素认证？", "zh", "definition"),
        ("Whatever", "en", "lookup"),
    ],
)
def test_the_language_is_told_when_script_or_function_words_show_it(parse, text, language, intent):
    question = parse(text)
    assert (question.language, question.intent) == (language, intent)


@pytest.mark.parametrize(
    "question", ["Who wrote the paper?", "Who are the authors of the paper?", "What is an information type?"]
)
def test_question_is_neither_vague_nor_about_its_verb_when_it_names_the_document_or_a_term(question):
    parsed = parse_question(question, LEXICONS)
    assert parsed.clarification is None
    assert not any(anchor.key == "wrote" for anchor in parsed.focus)


@pytest.mark.parametrize(
    ("question", "is_vague"),
    [
        ("Whom may you cover?", False),
        ("What does neither plan cover?", False),
        ("What does it say?", True),
        ("What is it?", True),
        ("What is required?", True),
    ],
)
def test_question_is_vague_only_when_its_verb_merely_asks_to_be_told(question, is_vague):
    assert (parse_question(question, LEXICONS).clarification is not None) == is_vague


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("In which states does the firm sell water?", "states"),
        ("Which states are served?", "states"),
        ("What reports are due?", "reports"),
        ("What uses does the fund have?", "uses"),
    ],
)
def test_a_verb_is_the_noun_that_is_asked_for_when_an_auxiliary_follows_it(text, noun):
    part = parse_question(text, LEXICONS).sub_questions[0]
    assert part.shape == "list"
    assert noun in [anchor.text for anchor in part.anchors]


@pytest.mark.parametrize("text", ["Which page states the fee?", "Which tool shows the plan?", "What reports the loss?"])
def test_a_verb_stays_a_verb_when_no_auxiliary_follows_it(text):
    assert parse_question(text, LEXICONS).sub_questions[0].shape != "list"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("In which ways can one report a fault, and which of them is anonymous?", 1),
        ("In which report is the fee told, and how high is it?", 2),
    ],
)
def test_no_clause_is_dropped_as_a_source_when_it_asks_for_something(text, count):
    question = parse_question(text, LEXICONS)
    assert len(question.sub_questions) == count
    assert question.sub_questions[0].text.startswith("In which")
    assert question.instructions == ()


def test_one_of_the_steps_is_picked_when_a_procedure_is_asked():
    part = parse_question("What are the steps to start the crane, and which one needs a key?", LEXICONS).sub_questions
    assert (len(part), part[0].shape, part[0].pick.text) == (1, "procedure", "which one needs a key")


@pytest.mark.parametrize(
    ("text", "told", "shape"),
    [
        (
            "What was gross profit in 2020 and how did it change from 2019?",
            "how did gross profit change from 2019",
            "value",
        ),
        ("What were net sales in 2020 and what do they include?", "what do they include", "text"),
        ("What is the fee and how did it come about?", "how did it come about", "text"),
    ],
)
def test_a_figure_is_named_when_a_later_part_asks_how_it_moved(text, told, shape):
    part = parse_question(text, LEXICONS).sub_questions[-1]
    assert (part.text, part.shape) == (told, shape)


@pytest.mark.parametrize(
    ("text", "value_type"),
    [
        ("When the bell rings, what must the keeper do?", "any"),
        ("After a fault, how long may the lamp be out?", "duration"),
        ("When does the plan start?", "date"),
        ("When was it built, and by whom?", "date"),
    ],
)
def test_a_condition_asks_for_nothing_when_the_question_follows_it(text, value_type):
    assert parse_question(text, LEXICONS).sub_questions[0].value_type == value_type
