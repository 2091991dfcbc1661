"""Filters: read as people write them, judged exactly, and refused where no document could ever fit."""

from __future__ import annotations

import pytest

from pipeline.batch.filters import judge_filter, parse_filter
from pipeline.errors import UsageError

OWN = {"department": "Department", "inforcesince": "In force since", "budget": "Budget", "isowned": "Is owned"}


@pytest.mark.parametrize(
    ("text", "key", "op", "values"),
    [
        ("pages at least 3", "pages", "at least", ("3",)),
        ("Pages >= 3", "pages", "at least", ("3",)),
        ("pages is at_most 1,000", "pages", "at most", ("1,000",)),
        ("pages<10", "pages", "below", ("10",)),
        ("kind one_of contract, policy", "kind", "one of", ("contract", "policy")),
        ('name is one of ("a, b.pdf", c.pdf)', "name", "one of", ("a, b.pdf", "c.pdf")),
        ("has outline = yes", "hasoutline", "is", ("yes",)),
        ("kind != paper", "kind", "is not", ("paper",)),
        ("department is 'Legal & Tax'", "department", "is", ("Legal & Tax",)),
        ("in force since above 2020-01-31", "inforcesince", "above", ("2020-01-31",)),
        ("Is owned is yes", "isowned", "is", ("yes",)),
        ("folder like old/*", "folder", "matches", ("old/*",)),
        ("title contains is it above all", "title", "contains", ("is it above all",)),
    ],
)
def test_key_operator_and_values_are_told_apart_when_a_filter_is_read(text, key, op, values):
    wanted = parse_filter(text, OWN)
    assert (wanted.key, wanted.op, wanted.values) == (key, op, values)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pages", "no key with an operator"),
        ("is contract", "no key with an operator"),
        ("", "no key with an operator"),
        ("pagse above 3", "did you mean pages"),
        ("departement is HR", "did you mean Department"),
        ("colour is red", "a column of a table given to --metadata"),
        ("pages above", "no value after above"),
        ("kind one of contract,,policy", "no value after one of"),
        ("pages above many", "takes a number or a date"),
        ("pages is many", "pages is a number"),
        ("pages contains 3", "pages is not text"),
        ("kind above 3", "only numbers can be compared"),
        ("kind is contrat", "did you mean contract"),
        ("state is fine", "one of ok, partial"),
        ("scanned is perhaps", "scanned is yes or no"),
        ("year is 2020-01-31", "year is a number"),
        ("budget at least plenty", "takes a number or a date"),
    ],
)
def test_a_filter_is_refused_when_it_cannot_mean_anything(text, words):
    with pytest.raises(UsageError) as caught:
        parse_filter(text, OWN)
    assert words in str(caught.value)
    assert text.split(" ")[0].casefold() in str(caught.value).casefold()


@pytest.mark.parametrize(
    ("text", "value", "fits"),
    [
        ("pages at least 3", 3, True),
        ("pages above 3", 3, False),
        ("pages at most 3", 3, True),
        ("pages below 3", 3, False),
        ("pages is 3", 3, True),
        ("pages one of 2, 3", 3, True),
        ("pages is not 3", 3, False),
        ("budget at least 1,200.50", "1200.5", True),
        ("budget above 1200.5", "1,200.50", False),
        # beyond what a double keeps apart
        ("budget above 9007199254740992", "9007199254740993", True),
        ("budget above -5", "\u22124", True),
        ("in force since above 2020-01-31", "2020-02-01", True),
        ("in force since at most 2020-01-31", "2020-02-01", False),
        ("in force since above 2020-01-31", "last year", None),
        ("budget above 5", "2020-01-31", None),
        ("department is legal", "  LEGAL ", True),
        ("department is LEGAL", "\uff2c\uff25\uff27\uff21\uff2c", True),
        ("department contains gal", "Legal", True),
        ("department matches le*", "Legal", True),
        ("department matches *x", "Legal", False),
        ("is owned is true", "Yes", True),
        ("has_outline is no", False, True),
        ("scanned is not yes", True, False),
        ("department is Legal", "", False),
        ("department is not Legal", None, False),
    ],
)
def test_a_value_fits_exactly_when_it_meets_the_filter(text, value, fits):
    assert judge_filter(parse_filter(text, OWN), value).fits is fits


def test_what_is_not_told_is_called_unknown_when_it_is_judged():
    verdict = judge_filter(parse_filter("department is Legal", OWN), None)
    assert (verdict.is_unknown, verdict.reason) == (True, "Department is not known")
    verdict = judge_filter(parse_filter("budget above 5", OWN), "n/a")
    assert (verdict.is_unknown, verdict.reason) == (False, "Budget is 'n/a', which is no number")
