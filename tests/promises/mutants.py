"""Mutants of the verifier: one operator, constant, condition or statement changed, and ledgers that find it out."""

from __future__ import annotations

import ast
import functools
import inspect
import random
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

from pipeline.audit import layout as layout_module
from pipeline.audit import lines as lines_module
from pipeline.audit import verify as verify_module
from pipeline.audit.layout import RECORD, REDACTION, LineFault
from pipeline.audit.verify import verify_lines
from pipeline.models.ledger import Checkpoint, LedgerReport
from tests.promises.forgeries import Suspect, walk_suspects
from tests.unit.audit.ledgers import blind, forge, link, link_runs, make_redaction, make_values, place, relink

MUTATED = {
    layout_module: "lay_out",
    lines_module: "commit build_head split_head read_columns check_line _check_blinded _check_body_hash",
    verify_module: "verify_lines check_start take _check_checkpoint _settle check_end read_redaction",
}
# name of the mutant -> why nobody can tell it from the verifier
EQUIVALENT = {
    "lay_out: @functools.lru_cache(maxsize=64) [64: 64 raised]": "a larger cache gives nothing else",
    'lay_out: body_lead=leads[body[0]] - len(opening) + opening.index(b"{", 1), [1: 1 raised]': "a quote stands at 1",
    "split_head: if at >= 0: [at >= 0: GtE turned]": "a line that begins so has a head without entries: the same fault",
    "split_head: if at >= 0: [0: 0 raised]": "as above",
    "read_columns: if count < 1 or rest: [count < 1: Lt turned]": "one entry is no record: the same fault",
    "read_columns: if count < 1 or rest: [1: 1 raised]": "as above",
    "read_columns: if count < 1 or rest: [count < 1 or rest: operand 1 dropped]": "then the names are out of order",
}

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


class Mutant(NamedTuple):
    """A module with one change; the name says where (function, line, expression) and what."""

    name: str
    module: ModuleType
    place: tuple[int, int, int]


def _mutate(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Changed copies of one node."""
    if isinstance(node, ast.Compare):
        for at, operator in enumerate(node.ops):
            ops = [*node.ops[:at], _OPPOSITES[type(operator)](), *node.ops[at + 1 :]]
            yield f"{type(operator).__name__} turned", ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BoolOp):
        for at in range(len(node.values)):
            rest = [*node.values[:at], *node.values[at + 1 :]]
            yield f"operand {at} dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.If):
        yield "never", ast.If(ast.Constant(value=False), node.body, node.orelse)
    elif isinstance(node, ast.Raise):
        yield "not raised", ast.Pass()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "not called", ast.Pass()
    elif isinstance(node, ast.AugAssign):
        yield "not added", ast.Pass()
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} raised", ast.Constant(value=node.value + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", node.operand


class _Replace(ast.NodeTransformer):
    def __init__(self, target: ast.AST, other: ast.AST) -> None:
        self.target, self.other = target, other

    def visit(self, node: ast.AST) -> ast.AST:
        return self.other if node is self.target else self.generic_visit(node)


def _walk_mutants(module: ModuleType, names: list[str]) -> Iterator[Mutant]:
    source = inspect.getsource(module)
    for at, function in enumerate(ast.walk(ast.parse(source))):
        if not isinstance(function, ast.FunctionDef) or function.name not in names:
            continue
        for index, node in enumerate(ast.walk(function)):
            for variant, (words, _) in enumerate(_mutate(node)):
                line = source.splitlines()[node.lineno - 1].strip()
                yield Mutant(f"{function.name}: {line} [{ast.unparse(node)}: {words}]", module, (at, index, variant))


def _build_tree(mutant: Mutant) -> ast.Module:
    tree = ast.parse(inspect.getsource(mutant.module))
    at, index, variant = mutant.place
    node = list(ast.walk(list(ast.walk(tree))[at]))[index]
    other = list(_mutate(node))[variant][1]
    return ast.fix_missing_locations(_Replace(node, ast.copy_location(other, node)).visit(tree))


@functools.cache
def _list_all() -> tuple[Mutant, ...]:
    return tuple(mutant for module, names in MUTATED.items() for mutant in _walk_mutants(module, names.split()))


def list_mutants(*, with_equivalent: bool = False) -> tuple[Mutant, ...]:
    """All mutants in the order of the source, without those that are listed as equivalent."""
    return tuple(mutant for mutant in _list_all() if with_equivalent or mutant.name not in EQUIVALENT)


def find_survivors(mutants: tuple[Mutant, ...]) -> tuple[str, ...]:
    """Names of the mutants that judge every ledger as the verifier does."""
    return tuple(mutant.name for mutant in mutants if not _is_killed(mutant))


def _is_killed(mutant: Mutant) -> bool:
    judge = _load(mutant)
    for suspect, expected in _read_battery():
        try:
            if _judge(judge, suspect) != expected:
                return True
        # a verifier that ends in a traceback is found out as well
        except Exception:  # noqa: BLE001
            return True
    return False


def _judge(judge: Callable[..., LedgerReport], suspect: Suspect) -> tuple[object, ...]:
    """What a verifier says, in everything but the words."""
    report = judge(place(suspect.lines), suspect.head, reads_records=suspect.name == "read")
    fault = report.fault and report.fault.model_copy(update={"detail": ""})
    return (fault, report.model_copy(update={"fault": None}))


def _load(mutant: Mutant) -> Callable[..., LedgerReport]:
    """`verify_lines` of a program in which one module is the mutant."""
    names = dict(vars(mutant.module))
    exec(compile(_build_tree(mutant), mutant.module.__file__, "exec"), names)
    if mutant.module is verify_module:
        return names["verify_lines"]
    # all modules must speak of the same exception
    names["LineFault"] = LineFault
    if mutant.module is layout_module:
        names = _run_anew(lines_module, lay_out=names["lay_out"])
    return _run_anew(verify_module, check_line=names["check_line"])["verify_lines"]


def _run_anew(module: ModuleType, **changes: object) -> dict[str, Any]:
    names = dict(vars(module))
    exec(compile(inspect.getsource(module), module.__file__, "exec"), names)
    names.update(changes)
    return names


@functools.cache
def _read_battery() -> tuple[tuple[Suspect, tuple[object, ...]], ...]:
    """Ledgers that between them need every part of the verifier, and what is to be said of them."""
    suspects = [*_walk_special(), *walk_suspects(320, seed=30)]
    return tuple((suspect, _judge(verify_lines, suspect)) for suspect in suspects)


def _walk_special() -> Iterator[Suspect]:
    yield from _walk_odd_layouts()
    chance = random.Random(2)
    lines = link(make_values(chance) for _ in range(3))
    report = verify_lines(place(lines))
    zeros = "0" * 64
    heads = [Checkpoint(count=count, chain_hash=chain) for count in (0, 3, 4) for chain in (zeros, report.chain_hash)]
    for head in heads:
        yield Suspect("head", lines, head)
        yield Suspect("head of none", [], head)
        yield Suspect("head of another", relink(lines), head)
    for name in ("body.answer", "body.question", "body_hash", "run_id", "volatile.host"):
        blinded = [blind(lines[0], name), *lines[1:]]
        yield Suspect("blinded", blinded, None)
        for number, fields in ((1, [name]), (2, [name]), (1, []), (4, [name]), (0, [name])):
            kind, values = make_redaction(number, fields)
            added = lines_module.build_line(kind, 4, report.chain_hash.encode(), values)[1]
            yield Suspect("redacted", [*blinded, added], None)
            yield Suspect("unfinished", [*lines, added], None)
    yield Suspect("read", lines, None)
    yield Suspect("read", link_runs(chance, 2), None)


def _walk_odd_layouts() -> Iterator[Suspect]:
    """First lines whose hashes all hold and which are no lines of a ledger."""
    values = make_values(random.Random(3))
    honest = sorted(values.items())
    odd = [
        [pair for pair in honest if pair[0] not in left_out]
        for left_out in ((b"body_hash",), (b"run_id",), (b"body.answer", b"body.facts", b"body.question", b"body.zone"))
    ]
    odd += [list(reversed(honest)), [*honest, honest[-1]], [*honest, (b"volatile.host", b"1")], [*honest, (b"Z", b"1")]]
    odd += [[(name, b"" if name == b"volatile.host" else value) for name, value in honest]]
    for fields in (honest, *odd):
        yield Suspect("layout", [forge(RECORD, fields)], None)
    for fields in (honest, [(b"at", b'""'), (b"number", b"1")]):
        yield Suspect("layout", [forge(REDACTION, fields)], None)
    for commitment in (b"0" * 64, b"0" * 63, b"g" * 64, b"0" * 65):
        for value in (b"null", b'""', b"nul"):
            fields = [(name, value if name == b"volatile.host" else own) for name, own in honest]
            yield Suspect("blinded", [forge(RECORD, fields, {b"volatile.host": commitment})], None)
    wrong = sorted({**values, b"body_hash": b'"%b"' % (b"0" * 64), b"volatile.host": b"null"}.items())
    yield Suspect("hash", [forge(RECORD, wrong, {b"volatile.host": b"0" * 64})], None)
