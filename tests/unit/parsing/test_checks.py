from __future__ import annotations

import pytest

from fixtures.faults.glyphs import FAULTS
from pipeline.parsing.checks import find_text_faults, measure_pairs
from tests.unit.parsing.reading import put, read, read_contents

PROSE = (
    "The tenant pays the yearly rent in two halves, and the landlord keeps the roof and the walls in repair. "
    "Either party may end the lease with three months of notice, which has to be given in writing. "
)
BROKEN = ("glyphs_without_unicode", "encoding_shifted", "encoding_rot13", "encoding_mojibake", "ocr_noise")
CLEAN = ("font_composite_clean", "text_turned", "text_doubled", "heading_spaced_letters")


@pytest.mark.parametrize("name", BROKEN)
def test_a_page_is_garbled_when_its_text_cannot_be_decoded(name: str) -> None:
    document = read(FAULTS[name].make())
    assert document.profile.garbled_pages == (1,)
    assert document.pages[0].failed_checks


@pytest.mark.parametrize("name", CLEAN)
def test_no_page_is_garbled_when_the_text_is_merely_unusual(name: str) -> None:
    assert read(FAULTS[name].make()).profile.garbled_pages == ()


def test_bullets_of_a_symbol_font_are_no_fault_when_they_stand_alone() -> None:
    assert find_text_faults("\n".join(["\uf0b7 one thing", "\uf0b7 another thing"] * 10)) == ([], False)


def test_private_characters_are_a_fault_when_they_make_words() -> None:
    assert find_text_faults("\uf041\uf042\uf043 \uf044\uf045 " * 5) == (["undefined_characters"], True)


def test_few_undefined_characters_do_not_garble_a_page_when_the_rest_is_sound() -> None:
    assert find_text_faults(PROSE * 3 + "\ufffd" * 6) == (["undefined_characters"], False)


def test_figures_are_not_judged_when_there_are_few_letters() -> None:
    assert measure_pairs("1,234 5,678 (90) 12.5% " * 30) is None
    assert find_text_faults("1,234 5,678 (90) 12.5% " * 30) == ([], False)


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        "O locatário paga a renda anual em duas metades e o senhorio mantém o telhado em bom estado. " * 2,
        "Le locataire paie le loyer annuel en deux moitiés et le bailleur entretient le toit et les murs. " * 2,
        "Der Mieter zahlt die jährliche Miete in zwei Hälften, und der Vermieter erhält das Dach instand. " * 2,
        "租金每年四千八百元，押金一千二百元。" * 10,
    ],
)
def test_no_fault_is_found_when_text_of_any_language_is_sound(text: str) -> None:
    assert find_text_faults(text) == ([], False)


def test_a_table_is_noticed_when_rows_hold_figures() -> None:
    rows = "".join(
        put(72, 700 - 15 * at, f"Item {at}") + put(300, 700 - 15 * at, "1,200") + put(400, 700 - 15 * at, "3,400")
        for at in range(5)
    )
    assert read_contents(rows).profile.table_pages == (1,)


def test_no_text_is_to_be_missed_when_a_page_is_blank() -> None:
    document = read_contents(put(72, 700, "First page"), "")
    assert document.pages[1].state == "without_text"
    assert document.pages[1].failed_checks == ()


def test_text_may_be_missed_when_a_page_only_has_drawings() -> None:
    lines = "".join(f"{50 + 9 * at} 50 m {500 - 7 * at} 740 l S\n" for at in range(20))
    document = read_contents(put(72, 700, "First page"), lines)
    assert document.pages[1].failed_checks == ("no_text",)


def test_letter_spacing_is_noticed_when_a_heading_is_set_wide() -> None:
    assert "letter_spaced" in read_contents(put(72, 700, "B A L A N C E")).pages[0].failed_checks
