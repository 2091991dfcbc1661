"""P6: tamper-evident. Any byte, any line, any prefix: what was changed is seen, and the right line is named."""

from __future__ import annotations

import random
from bisect import bisect_right
from itertools import accumulate, islice

import pytest

from pipeline.audit.layout import LineFault
from pipeline.audit.lines import FIRST_PREVIOUS, check_line
from pipeline.audit.verify import verify_lines
from pipeline.models.ledger import Checkpoint
from tests.promises.forgeries import BYTE_CHANGES, flip_byte
from tests.unit.audit.ledgers import link, link_runs, make_values, place, read_values, split


def _take_head(lines):
    report = verify_lines(place(lines))
    return Checkpoint(count=report.count, chain_hash=report.chain_hash)


def _find_bad_line(lines, head=None):
    fault = verify_lines(place(lines), head).fault
    return fault and fault.number


def _is_seen(line, number, previous):
    """Whether a line that was changed within is seen; a line end in it makes two lines, of which the first is bad."""
    try:
        check_line(split(line)[0], number, previous)
    except LineFault:
        return True
    return False


def _walk_changes(line):
    """A line with each byte flipped in two ways, deleted, doubled, and with white space put in."""
    for at in range(len(line) - 1):
        yield at, line[:at] + bytes([line[at] ^ 32]) + line[at + 1 :]
        yield at, line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
        yield at, line[:at] + line[at + 1 :]
        yield at, line[:at] + line[at : at + 1] + line[at:]
        yield at, line[:at] + b" " + line[at:]
        yield at, line[:at] + b"\n" + line[at:]


def _check_every_byte(lines, step=1):
    """With a step of 5 every byte is changed, and each in another way than the one before it."""
    previous = FIRST_PREVIOUS
    for number, line in enumerate(lines, 1):
        changes = islice(_walk_changes(line), 0, None, step)
        missed = [at for at, changed in changes if changed != line and not _is_seen(changed, number, previous)]
        assert missed == []
        previous = check_line(line, number, previous).chain_hash


def test_every_change_of_every_byte_is_seen_when_the_record_is_small():
    _check_every_byte(link([make_values(random.Random(1))]))


def test_a_change_of_every_byte_is_seen_when_the_record_is_a_run():
    _check_every_byte(link_runs(random.Random(1), 1), step=5)


@pytest.mark.soak
def test_every_change_of_every_byte_is_seen_when_the_ledger_has_fifty_records():
    chance = random.Random(50)
    runs = [read_values(line)[1] for line in link_runs(chance, 5)]
    _check_every_byte(link([*runs, *(make_values(chance) for _ in range(45))]))


def test_every_other_value_of_a_byte_is_seen_when_sampled():
    chance = random.Random(2)
    line = link_runs(chance, 1)[0]
    for at in chance.sample(range(len(line)), 20):
        for value in range(256):
            changed = line[:at] + bytes([value]) + line[at + 1 :]
            assert changed == line or _is_seen(changed, 1, FIRST_PREVIOUS)


def test_the_end_of_a_line_is_seen_when_it_was_changed():
    lines = link_runs(random.Random(3), 2)
    assert _find_bad_line([lines[0][:-1] + lines[1]]) == 1
    assert _find_bad_line([lines[0], lines[1][:-1]]) == 2
    assert _find_bad_line([*lines, b"\n"]) == 3
    assert _find_bad_line([*lines, b"x"]) == 3
    assert _find_bad_line([lines[0][:-1] + b"\r\n", lines[1]]) == 1
    assert _find_bad_line([b"\xef\xbb\xbf" + lines[0], lines[1]]) == 1


def _check_sampled(runs, changes, seed):
    """One byte anywhere in the file: the line that it stands in is named."""
    chance = random.Random(seed)
    for _ in range(runs):
        lines = link_runs(chance, chance.randrange(1, 4))
        content = b"".join(lines)
        ends = list(accumulate(len(line) for line in lines))
        for change in BYTE_CHANGES * changes:
            changed = change(content, chance)
            first = next(
                (at for at, pair in enumerate(zip(content, changed, strict=False)) if pair[0] != pair[1]), len(content)
            )
            found = _find_bad_line(split(changed))
            # a byte that is put or missed at the end of a line can belong to this line or to the next
            expected = {bisect_right(ends, first) + 1, bisect_right(ends, first - 1) + 1}
            assert found == bisect_right(ends, first) + 1 if change is flip_byte else found in expected


def test_one_byte_is_seen_and_its_line_named_when_two_hundred_runs_are_sampled():
    _check_sampled(runs=200, changes=1, seed=200)


@pytest.mark.soak
def test_one_byte_is_seen_and_its_line_named_when_many_runs_are_sampled():
    _check_sampled(runs=1000, changes=4, seed=1000)


def test_every_line_is_missed_doubled_or_out_of_place_when_moved():
    lines = link_runs(random.Random(4), 8)
    head = _take_head(lines)
    for at in range(8):
        assert _find_bad_line([*lines[:at], *lines[at + 1 :]], head) == at + 1
        assert _find_bad_line([*lines[: at + 1], *lines[at:]], head) == at + 2
        for other in range(at + 1, 8):
            swapped = list(lines)
            swapped[at], swapped[other] = swapped[other], swapped[at]
            assert _find_bad_line(swapped, head) == at + 1


def test_every_prefix_is_missed_when_the_head_is_kept_elsewhere():
    lines = link_runs(random.Random(5), 6)
    content, head = b"".join(lines), _take_head(lines)
    ends = list(accumulate(len(line) for line in lines))
    cuts = {
        0,
        1,
        *(end + step for end in ends for step in (-1, 0, 1)),
        *random.Random(6).sample(range(len(content)), 60),
    }
    for cut in sorted(cuts):
        if cut < len(content):
            assert _find_bad_line(split(content[:cut]), head) == bisect_right(ends, cut) + 1
    assert _find_bad_line(lines, head) is None
