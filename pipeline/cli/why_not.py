"""`pdfdocket why-not RUN RULE`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.options import json_option, read_settings
from pipeline.cli.show import find_archive, find_record
from pipeline.errors import RecordError, RulebookError, UsageError

if TYPE_CHECKING:
    from pipeline.models.run import RunRecord
    from pipeline.models.settings import Settings
    from pipeline.models.story import RunEnd, WhatIf, WhyNot
    from pipeline.policy.rulebook import Rulebook

EPILOG = """\b
Examples:
  pdfdocket why-not 3f2a9c TOC01
  pdfdocket why-not 3f2a9c LST02 --json
  pdfdocket why-not 3f2a9c --budget 1
  pdfdocket why-not 3f2a9c LST02 --budget 4 --doc moved/report.pdf
\b
With --budget the question is asked again with that many iterations; nothing is written. The document must be the
one of the run, byte for byte.
"""


@click.command(epilog=EPILOG)
@click.argument("run")
@click.argument("rule", required=False)
@click.option("--budget", type=click.IntRange(1, 4), help="Ask again with this many iterations, and compare.")
@click.option("--doc", type=click.Path(path_type=Path), help="The document, or a folder with it, when it has moved.")
@click.option("--rules", type=click.Path(path_type=Path), help="Folder with the rulebook of the run.")
@json_option
def command(run: str, rule: str | None, as_json: bool, **flags: object) -> int:
    """Say why RULE did nothing in RUN, and the smallest change of facts that would have fired it."""
    from pipeline.audit.record import load_record
    from pipeline.cli.output import print_json, print_text
    from pipeline.rerun.what_if import ask_with_budget
    from pipeline.rerun.why_not import explain_rule
    from pipeline.run.documents import DocumentFinder

    budget, document = flags["budget"], flags["doc"]
    if rule is None and budget is None:
        raise UsageError("neither a rule nor a budget is named", "give the id of a rule, or --budget N")
    source = find_record(run)
    record = load_record(source)
    settings = read_settings({"rules": flags["rules"]})
    archive = find_archive(source, settings, record.body.plan.rulebook_revision)
    why = explain_rule(record, rule.upper(), _load_rulebook(record, settings, archive)) if rule else None
    what_if = None
    if isinstance(budget, int):
        if document is None:
            finder = DocumentFinder(None, source)
            document = finder.find(record.body.document_sha256, record.volatile.document_path)
        document = document if isinstance(document, Path) else None
        what_if = ask_with_budget(record, budget, document, settings, archive)
    if as_json:
        described = {"why_not": why, "what_if": what_if}
        print_json({name: each and each.model_dump(mode="json") for name, each in described.items()})
    else:
        texts = ([render_why_not(why)] if why else []) + ([render_what_if(what_if)] if what_if else [])
        print_text("\n\n".join(texts))
    return 0


def _load_rulebook(record: RunRecord, settings: Settings, archive: Path) -> Rulebook | None:
    """The rulebook of the run, None where it is not to be had: the record explains the rest by itself."""
    from pipeline.policy.rulebook import load_rulebook
    from pipeline.rerun.what_if import find_rules

    try:
        found = find_rules(record.body, settings, archive)
        return load_rulebook(found.rules_folder, found.rules_base)
    except (RecordError, RulebookError):
        return None


def render_why_not(why: WhyNot) -> str:
    """What became of a rule, what would have fired it, and its signal."""
    from pipeline.cli.stories import spell

    lines = [f"{why.rule} {why.name}", f"  because {why.because}", f"  {why.words}"]
    read = [change for change in why.changes if change.is_read]
    if read:
        wanted = [f"{each.fact} {spell(each.needed)} (it is {spell(each.observed)})" for each in read]
        lines.append(f"  the smallest change that would have fired it: {', '.join(wanted)}")
        along = [f"{each.fact} {spell(each.needed)}" for each in why.changes if not each.is_read]
        if along:
            lines.append(f"    which brings with it: {', '.join(along)}")
    elif why.state in ("blocked", "shadow_blocked", "overridden"):
        lines.append("  no possible facts would have fired it")
    if why.signal:
        lines.append(f"  {why.signal.words}")
    return "\n".join(lines)


def render_what_if(what_if: WhatIf) -> str:
    """How the run ended and how it would have ended, then the iterations of the second."""
    from pipeline.cli.stories import render_iterations

    lines = [
        f"With a budget of {what_if.budget} instead of {what_if.recorded_budget}",
        f"  recorded: {_describe_end(what_if.recorded)}",
        f"  would be: {_describe_end(what_if.would_be)}",
        f"  the answer {'is the same' if what_if.is_same_answer else 'is another'}",
    ]
    if not what_if.is_same_answer:
        lines += [f"    - {line}" for line in what_if.recorded.answer.split("\n")]
        lines += [f"    + {line}" for line in what_if.would_be.answer.split("\n")]
    lines += [f"  beware: {caveat}" for caveat in what_if.caveats]
    return "\n".join([*lines, *(f"  {line}" for line in render_iterations(what_if.iterations))])


def _describe_end(end: RunEnd) -> str:
    found = f"{'found' if end.is_found else 'not found'}, {'complete' if end.is_complete else 'incomplete'}"
    count = f"{end.iteration_count} iteration{'' if end.iteration_count == 1 else 's'}"
    detail = f" ({end.stop_detail})" if end.stop_detail else ""
    return f"{found} at {end.confidence}/1000 after {count}; {end.stop_reason.replace('_', ' ')}{detail}"
