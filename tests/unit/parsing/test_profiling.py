from __future__ import annotations

import pytest

from pipeline.parsing.profiling import find_kind, find_language, sample_lines

LANGUAGES = {
    "en": "the tenant pays the rent of the house and keeps it in repair",
    "pt": "o inquilino paga a renda da casa e não pode fazer obras sem o consentimento do senhorio",
    "es": "el inquilino paga la renta de la casa y no puede hacer obras en el edificio sin permiso del dueño",
    "fr": "le locataire paie le loyer de la maison et ne peut pas faire des travaux dans les murs",
    "de": "der mieter zahlt die miete und das haus ist in dem zustand zu halten, den die parteien mit sich führen",
    "zh": "租金每年四千八百元，押金一千二百元",
}


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_the_language_is_told_when_its_frequent_words_occur(language: str) -> None:
    assert find_language([LANGUAGES[language]] * 5) == language


def test_english_is_assumed_when_there_are_no_words() -> None:
    assert find_language(["1,234", "(90)"]) == "en"
    assert find_language([]) == "en"


@pytest.mark.parametrize(
    ("lines", "kind"),
    [
        (
            ["annual report on form 10-k", "securities and exchange commission", "registrant", "net income", "fiscal"],
            "filing",
        ),
        (["abstract", "introduction", "et al.", "references", "conclusion"], "paper"),
        (["this agreement", "the parties", "governing law", "termination", "hereby"], "contract"),
        (["nothing of the kind"], "unknown"),
        ([], "unknown"),
    ],
)
def test_the_kind_is_told_when_its_terms_occur(lines: list[str], kind: str) -> None:
    assert find_kind(lines) == kind


def test_samples_reach_the_end_when_a_document_is_long() -> None:
    lines = [str(number) for number in range(10_000)]
    sample = sample_lines(lines, 500)
    assert len(sample) <= 520
    assert int(sample[0]) == 0
    assert int(sample[-1]) > 9_000
