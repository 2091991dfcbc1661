"""P23: numbers are exact: a value is read as it is printed, or declined, never read wrongly."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from fixtures.rawpdf import page_objects, raw_pdf, show_lines
from tests.promises.harness import run_lines

NAMES = ("mooring", "slipway", "boathouse", "pontoon", "towpath", "weir", "lock", "ferry", "jetty", "basin")
MINUS = "\N{MINUS SIGN}"
DASH = "\N{EN DASH}"
SPACE = "\N{NO-BREAK SPACE}"


def _print_amounts() -> Iterator[tuple[str, str, set[str | None]]]:
    """Sentence pattern, value as printed, and every reading of it that is right (None: declined)."""
    plain = ("7", "42", "999", "1,234", "12,345,678", "0.5", "1,234.56", "3.14", "100.00")
    for printed in plain:
        yield "The {name} fee is {printed} euros a year.", printed, {printed.replace(",", "")}
    yield "The {name} fee is {printed} euros a year.", f"1{SPACE}234", {"1234", None}
    yield "The {name} fee is {printed} euros a year.", f"{DASH}5", {"-5", "5", None}
    yield "The {name} balance is EUR {printed} at year end.", "(1,234)", {"-1234", "1234", None}
    yield "The {name} balance is EUR {printed} at year end.", "-17.5", {"-17.5", None}
    yield "The {name} rate is {printed} of the rent.", "12%", {"12"}
    yield "The {name} rate is {printed} of the rent.", "0.75%", {"0.75"}
    yield "The {name} fee is ${printed} million a year.", "3.2", {"3.2", "3200000"}
    # two readings in one notation: thousands here, decimals there
    yield "The {name} fee is {printed} euros a year.", "1.234,56", {"1234.56", None}
    yield "The {name} fee is {printed} euros a year.", "1.234", {"1.234", "1234", None}


AMOUNTS = tuple(_print_amounts())


def _name(number: int) -> str:
    return f"{NAMES[number % len(NAMES)]} {'north south'.split()[number // len(NAMES)]}"


def _is_declined(number: int) -> bool:
    return None in AMOUNTS[number][2]


@pytest.fixture(scope="module")
def readings(tmp_path_factory: pytest.TempPathFactory) -> list[list[str | None]]:
    """The values of the answer to each question, of one document that states every amount in a sentence."""
    folder = tmp_path_factory.mktemp("terms")
    sentences = [
        pattern.format(name=_name(number), printed=printed) for number, (pattern, printed, _) in enumerate(AMOUNTS)
    ]
    pages = [show_lines(["Terms of use"], size=16) + show_lines(sentences, y=690)]
    (folder / "terms.pdf").write_bytes(raw_pdf(page_objects(pages)))
    questions = [
        f"{'What percentage' if '%' in printed else 'How much'} is the {_name(number)} {pattern.split()[2]}?"
        for number, (pattern, printed, _) in enumerate(AMOUNTS)
    ]
    batch = run_lines([["ask", "terms.pdf", question, "--json"] for question in questions], folder)
    return [[item["value"] for item in ending.read()["answer"]["items"]] for ending in batch.endings]


def _is_right(value: str | None, number: int) -> bool:
    right = AMOUNTS[number][2]
    return value in right or any(reading and value and Decimal(value) == Decimal(reading) for reading in right)


@pytest.mark.parametrize("number", [n for n in range(len(AMOUNTS)) if not _is_declined(n)], ids=lambda n: AMOUNTS[n][1])
def test_value_is_as_printed_when_it_has_one_reading(number: int, readings: list[list[str | None]]):
    assert readings[number]
    assert all(_is_right(value, number) for value in readings[number]), readings[number]


def test_value_is_right_or_declined_when_it_has_two_readings(readings: list[list[str | None]]):
    declined = [number for number in range(len(AMOUNTS)) if _is_declined(number)]
    wrong = {
        AMOUNTS[number][1]: readings[number]
        for number in declined
        if not all(_is_right(value, number) for value in readings[number])
    }
    assert wrong == {}


ROWS = {
    "Net sales": ("1,204.5", "1,187.3", "(12.4)"),
    "Cost of sales": ("(803.1)", "(790.0)", DASH),
    "Other income": ("0.7", f"{MINUS}1.1", "3%"),
}
YEARS = ("2023", "2022", "2021")


def _write_table() -> bytes:
    lines = [show_lines(["Statement of income"], size=16), show_lines(["In millions of euros"], y=690)]
    for column, year in enumerate(YEARS):
        lines.append(show_lines([year], x=300 + 90 * column, y=660))
    for row, (label, cells) in enumerate(ROWS.items()):
        y = 640 - 18 * row
        lines.append(show_lines([label], y=y))
        for column, cell in enumerate(cells):
            # the font of the fixture has no minus sign of its own
            lines.append(show_lines([cell.replace(MINUS, "-")], x=300 + 90 * column, y=y))
    return raw_pdf(page_objects([b"".join(lines)]))


@pytest.mark.parametrize("label", ROWS)
def test_cell_is_of_its_row_and_year_when_a_table_is_asked(label: str, tmp_path: Path):
    (tmp_path / "income.pdf").write_bytes(_write_table())
    questions = [f"What were {label.lower()} in {year}?" for year in YEARS]
    batch = run_lines([["ask", "income.pdf", question, "--json"] for question in questions], tmp_path)
    right = {"(12.4)": "-12.4", "(803.1)": "-803.1", "(790.0)": "-790.0", f"{MINUS}1.1": "-1.1", "3%": "3", DASH: "0"}
    wrong = []
    for question, printed, ending in zip(questions, ROWS[label], batch.endings, strict=True):
        expected = Decimal(right.get(printed, printed.replace(",", "")))
        for item in ending.read()["answer"]["items"]:
            value = None if item["value"] is None else Decimal(item["value"])
            # what stands in parentheses may be left unsigned, and a dash may be nothing
            if value is not None and value not in {expected, abs(expected)}:
                wrong.append(f"{question} {printed!r} is read as {item['value']!r}: {item['text']}")
    assert wrong == []
