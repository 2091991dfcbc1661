"""Where anchors occur, in a line and over line ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.question import Anchor
from pipeline.text.anchors import FoldedLines, find_anchor, occurs
from pipeline.text.matching import fold
from pipeline.text.tokens import stem


def make(source, *forms, key=None):
    words = forms[0].replace("-", " ").split()
    keys = {"word": stem(forms[0], "en"), "compound": " ".join(stem(word, "en") for word in words)}
    return Anchor(text=forms[0], key=key or keys.get(source, forms[0]), source=source, forms=forms, weight=500)


QUANTUM = make("word", "quantum-safe", "quantum safe", "quantumsafe", key="quantum-safe")
MFA = make("concept", "multi-factor authentication", "mfa", "multifactor authentication")


@pytest.mark.parametrize(
    ("anchor", "line", "is_there"),
    [
        (make("word", "insurance"), "the insured insures", True),
        (make("word", "policy"), "all policies", True),
        (make("word", "policy"), "police", False),
        (make("word", "u.s", key="u.s"), "in the U.S.; elsewhere", True),
        (make("word", "u.s", key="u.s"), "it is for us", False),
        (make("word", "net"), "network", False),
        (QUANTUM, "use Quantum-Safe keys", True),
        (QUANTUM, "quantum\u2011safe", True),
        (QUANTUM, "quantum safe", True),
        (QUANTUM, "a safe quantum", False),
        (MFA, "MFA is on", True),
        (MFA, "Multi-factor authentications", True),
        (MFA, "multi-factor. Authentication", False),
        (make("compound", "access reviews"), "review of access", False),
        (make("compound", "access reviews"), "reviewed access", True),
        (make("compound", "label smoothing"), "smoothing, label", True),
        (make("concept", "net income"), "income net", False),
        (make("concept", "pp&e"), "PP&E, net", True),
        (make("period", "fy2018", "2018", key="2018"), "in 2018, sales", True),
        (make("period", "fy2018", "2018", key="2018"), "12018", False),
        (make("quoted", "fair value"), "fair values", False),
        (make("identifier", "id.am-1", key="id.am1"), "ID.AM-01: inventories", True),
        (make("identifier", "id.am-1", key="id.am1"), "ID.AM-10", False),
        (make("identifier", "figure 2", key="figure:2"), "see Fig. 2", True),
        (make("identifier", "appendix a", key="appendix:a"), "Appendix A", True),
        (make("concept", "多因素认证"), "启用多因素认证后", True),
        (make("compound", "warmup steps"), "warmup_steps = 4000", True),
        (make("concept", "warmup steps", "warmup"), "warmup_steps = 4000", True),
        (make("word", "418"), "1,418 units", False),
        (make("word", "segurança", key="seguranc"), "a segurança", True),
        (make("word", "agreement"), "the Agreements1 end", True),
        (make("compound", "supply agreement"), "the Supply Agreement1 ends", True),
        (make("word", "agreement"), "the Agreement2031 ends", False),
        (make("word", "sha"), "SHA1 keys", False),
    ],
)
def test_an_anchor_occurs_when_any_form_of_it_stands_on_the_line(anchor, line, is_there):
    assert occurs(anchor, fold(line)) is is_there
    assert bool(find_anchor(anchor, line)) is is_there
    assert bool(FoldedLines(["a", fold(line), ""]).find(anchor)) is is_there


@pytest.mark.parametrize(
    ("anchor", "text", "expected"),
    [
        (make("word", "claim"), "Claims and a claim", ["Claims", "claim"]),
        (make("concept", "revenue", "total revenue"), "Total Revenues fell", ["Total Revenues"]),
        (QUANTUM, "Use quantum\u2011safe \ufb01les", ["quantum\u2011safe"]),
        (make("identifier", "id.am-1", key="id.am1"), "ID.AM-01 and ID.AM-1", ["ID.AM-01", "ID.AM-1"]),
    ],
)
def test_spans_are_verbatim_when_an_anchor_is_located(anchor, text, expected):
    assert [text[start:end] for start, end in find_anchor(anchor, text)] == expected


@pytest.mark.parametrize(
    ("anchor", "lines", "expected"),
    [
        (make("word", "insurance"), ["health insur-", "ance is", "insurance"], (0, 2)),
        (QUANTUM, ["needs quantum-", "safe keys"], (0,)),
        (make("concept", "net income"), ["so the net", "income of", "net profit"], (0,)),
        (make("concept", "net income"), ["net.", "income"], ()),
        (make("identifier", "gv.sc-01", key="gv.sc1"), ["GV.SC-01", "gv.sc-02", "see gv.sc-1"], (2,)),
        (make("concept", "多因素认证"), ["启用多因", "素认证后"], (0,)),
        (make("word", "fee"), [], ()),
    ],
)
def test_lines_are_found_when_an_anchor_runs_over_a_line_end(anchor, lines, expected):
    if expected == (2,):
        lines, expected = [fold(line) for line in lines], (0, 2)
    assert FoldedLines(lines).find(anchor) == expected


@given(st.lists(st.text("abc -.é多", max_size=12), max_size=5), st.text("abc -é多", min_size=1, max_size=6))
def test_a_line_is_found_in_the_whole_when_it_is_found_alone(lines, form):
    folded = [fold(line) for line in lines]
    anchor = Anchor(text=form, key=fold(form) or "x", source="concept", forms=(fold(form) or "x",), weight=500)
    found = FoldedLines(folded).find(anchor)
    alone = {index for index, line in enumerate(folded) if occurs(anchor, line)}
    assert alone <= set(found)
    assert all(
        occurs(anchor, " ".join(folded[index : index + 2])) or index in alone or folded[index][-1:] for index in found
    )


@pytest.mark.parametrize(
    ("name", "form", "line"),
    [
        # its stems in Portuguese are its words, which once made a Portuguese name of it
        ("governing law", "governed by the laws", "this agreement is governed by the law of norway"),
        ("notice period", "period of notice", "the periods of notice are listed below"),
        ("prazo de pagamento", "data de vencimento", "as datas de vencimento constam do anexo"),
    ],
)
def test_a_concept_occurs_inflected_when_its_name_is_that_of_any_language(name, form, line):
    concept = Anchor(text=name, key=name, source="concept", forms=(name, form), weight=900)
    assert occurs(concept, fold(line))
    assert len(find_anchor(concept, line)) == 1
