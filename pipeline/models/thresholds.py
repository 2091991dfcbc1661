"""Thresholds: the shares and scores from which on something counts, set in rules/rulebook.toml."""

from pydantic import Field

from pipeline.models.base import Contract


def _share(value: int) -> int:
    share: int = Field(default=value, ge=0, le=1000)
    return share


class Thresholds(Contract):
    """Gates of retrieval and of the readers, all in thousandths (of the anchors' weight where nothing else is said).

    The defaults stand for rulebooks that were kept before thresholds were data; what is shipped names every one.
    """

    # retrieval
    routing_gate: int = _share(750)
    section_title: int = _share(200)
    listing: int = _share(150)
    window_overlap: int = _share(500)
    # readers
    list_meant: int = _share(450)
    series: int = _share(450)
    person: int = _share(450)
    passage: int = _share(400)
    passage_sure: int = _share(700)
    prose_value: int = _share(500)
    displayed: int = _share(600)
    cell_named: int = _share(600)
    cell_each: int = _share(100)
    cell_told: int = _share(750)
    table_told: int = _share(450)
    governing: int = _share(600)
    reason: int = _share(450)
    subject: int = _share(600)
    value_score: int = _share(520)
    crosscheck_score: int = _share(600)
