"""Annotated copies: the right words are marked, everything else is as it was, and doubt leaves no mark."""

from __future__ import annotations

import subprocess
import sys

import pymupdf
import pytest

from pipeline.canonical import hash_bytes
from pipeline.errors import UsageError
from pipeline.models.base import Box
from pipeline.models.run import EffectRecord
from pipeline.models.settings import ParseLimits, Settings
from pipeline.parsing.ocr import ReadLine
from pipeline.parsing.rereading import Reading, encode_reading
from pipeline.report.annotation import Destination, write_copies
from pipeline.report.notebook import Asked
from tests.unit.report.annotated import (
    SETTINGS,
    annotate,
    cite_line,
    find_changed,
    list_word_boxes,
    make_pdf,
    make_row,
    read_marks,
)

TEXT = "The deposit is 75 euros for each key.\nNotice is given 30 days before.\nIt rains."


@pytest.fixture
def lease(tmp_path):
    return make_pdf(tmp_path / "lease.pdf", TEXT)


def _annotate_words(path, words, out, settings=SETTINGS, **options):
    return annotate([(make_row(path, [cite_line(path, words, settings)]), path)], out, settings, **options)[0]


def _covers(changed, box):
    """Whether the middle line of a box is yellow but for its letters, and how much of what is yellow is outside."""
    box = box * pymupdf.Matrix(2, 2)
    y = int((box.y0 + box.y1) / 2)
    xs = range(int(box.x0) + 2, int(box.x1) - 2)
    inside = sum((x, y) in changed for x in xs)
    outside = sum(not (box.x0 - 4 <= x <= box.x1 + 4 and box.y0 - 4 <= y <= box.y1 + 4) for x, y in changed)
    return inside >= 0.5 * len(xs), outside


def test_just_the_words_are_yellow_when_a_part_of_a_line_is_quoted(lease, tmp_path):
    report = _annotate_words(lease, "75 euros", tmp_path / "out")
    assert (report.file, report.note_count, report.highlight_count) == ("lease.pdf", 1, 1)
    changed, _ = find_changed(lease, tmp_path / "out" / "lease.pdf")
    (box,) = list_word_boxes(lease, "75 euros")
    is_covered, outside = _covers(changed, box)
    assert is_covered
    # what is left is the icon of the note in the margin: 18 points, two pixels each
    assert outside <= 37 * 37


def test_the_note_tells_the_answer_when_a_copy_is_read(lease, tmp_path):
    _annotate_words(lease, "75 euros", tmp_path / "out")
    (highlight, note) = read_marks(tmp_path / "out" / "lease.pdf")
    assert (highlight[0], note[0]) == ("Highlight", "Text")
    assert highlight[1]["content"] == "a1: What is it?"
    text = note[1]["content"]
    for words in ("a1: What is it?", "Answer: It is this.", "answered, complete", "800 of 1000", "page 1, line 1"):
        assert words in text
    assert text.endswith("Run: 0123456789abcdef")
    assert note[1]["subject"] == "0123456789abcdef"
    assert not note[1]["creationDate"]
    assert not note[1]["modDate"]


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("crop", [None, (60, 90, 500, 700)], ids=["whole", "cropped"])
@pytest.mark.parametrize("unit", [1, 2])
def test_the_words_are_marked_when_a_page_is_turned_cropped_or_scaled(tmp_path, rotation, crop, unit):
    path = tmp_path / "turned.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((120, 200), "The deposit is 75 euros for each key.")
        if crop:
            page.set_cropbox(pymupdf.Rect(crop))
        page.set_rotation(rotation)
        if unit > 1:
            document.xref_set_key(page.xref, "UserUnit", str(unit))
        document.save(path)
    report = _annotate_words(path, "75 euros", tmp_path / "out")
    assert report.highlight_count == 1
    changed, _ = find_changed(path, tmp_path / "out" / "turned.pdf")
    (box,) = list_word_boxes(path, "75 euros")
    if rotation in (90, 270):
        # text that runs down or up: its middle is a column
        changed, box = {(y, x) for x, y in changed}, pymupdf.Rect(box.y0, box.x0, box.y1, box.x1)
    is_covered, outside = _covers(changed, box)
    assert is_covered
    assert outside <= (36 * unit + 1) ** 2


def test_the_words_are_marked_when_the_media_box_does_not_begin_at_zero(tmp_path):
    path = tmp_path / "moved.pdf"
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.insert_text((120, 200), "The deposit is 75 euros for each key.")
        document.xref_set_key(page.xref, "MediaBox", "[-100 -50 512 742]")
        document.save(path)
    _annotate_words(path, "75 euros", tmp_path / "out")
    changed, _ = find_changed(path, tmp_path / "out" / "moved.pdf")
    assert _covers(changed, list_word_boxes(path, "75 euros")[0])[0]


def test_the_file_itself_stays_byte_by_byte_when_marks_are_added(tmp_path):
    path = tmp_path / "rich.pdf"
    with pymupdf.open() as document:
        for number in range(3):
            page = document.new_page()
            page.insert_text((100, 150), f"The deposit is {70 + number} euros.")
            page.add_highlight_annot(pymupdf.Rect(100, 300, 200, 320)).update()
            page.insert_link({"kind": pymupdf.LINK_GOTO, "from": pymupdf.Rect(10, 10, 50, 50), "page": 0})
        field = pymupdf.Widget()
        field.field_name, field.field_type = "who", pymupdf.PDF_WIDGET_TYPE_TEXT
        field.rect, field.field_value, field.script = pymupdf.Rect(100, 400, 200, 420), "me", "app.alert('x');"
        document[0].add_widget(field)
        document.set_toc([[1, "One", 1], [2, "Two", 2]])
        document.set_page_labels([{"startpage": 0, "prefix": "A-", "style": "D"}])
        document.embfile_add("note.txt", b"attached")
        document.save(path, use_objstms=1, garbage=3)
    content = path.read_bytes()
    assert _annotate_words(path, "71 euros", tmp_path / "out").highlight_count == 1
    copy = tmp_path / "out" / "rich.pdf"
    assert path.read_bytes() == content
    assert copy.read_bytes().startswith(content)
    with pymupdf.open(path) as before, pymupdf.open(copy) as after:
        assert not after.is_repaired
        for read in (
            lambda document: document.get_toc(simple=False), lambda document: document.get_page_labels(),
            lambda document: document.embfile_get("note.txt"), lambda document: document.metadata,
            lambda document: [page.get_links() for page in document],
            lambda document: [(field.field_name, field.script) for field in document[0].widgets()],
            lambda document: [page.get_text() for page in document], lambda document: document.xref_get_key(-1, "ID"),
        ):  # fmt: skip
            assert repr(read(before)) == repr(read(after))
        kinds = [[mark.type[1] for mark in page.annots()] for page in after]
    assert kinds == [["Highlight"], ["Highlight", "Highlight", "Text"], ["Highlight"]]


def test_there_is_one_highlight_and_two_notes_when_two_answers_quote_the_same_words(lease, tmp_path):
    citation = cite_line(lease, "75 euros")
    rows = [make_row(lease, [citation], id=name, number=at) for at, name in enumerate(("a1", "a2"), 1)]
    (report,) = annotate([(row, lease) for row in rows], tmp_path / "out")
    assert (report.note_count, report.highlight_count, report.answer_count) == (2, 1, 2)
    marks = read_marks(tmp_path / "out" / "lease.pdf")
    assert marks[0][1]["content"] == "a1: What is it?\na2: What is it?"
    assert not pymupdf.Rect(marks[1][2]).intersects(marks[2][2])


def test_the_engine_is_not_loaded_here_when_copies_are_made(lease, tmp_path):
    code = "import sys; import pipeline.report.annotation, pipeline.batch.copies; print('pymupdf' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "False"


# ---------------------------------------------------------------- doubt


def _change(citation, **changes):
    return citation.model_copy(update=changes)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"quote": "76 euros"}, "not at its place"),
        ({"quote": "Notice"}, "not at its place"),
        ({"quote": ""}, "nothing is quoted"),
        ({"page": 2}, "names another place"),
        ({"page": 9, "ref": "{sha}:p9:l1@native.1"}, "no such page"),
        ({"ref": "0123456789ab:p1:l1@native.1"}, "names another place"),
        ({"ref": "nonsense"}, "names another place"),
        ({"ref": "{sha}:p1:l1@ocr.1"}, "record that holds the reading is missing"),
        ({"is_ambiguous": True}, "ambiguous"),
        ({"quote": "e"}, "not at its place"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_nothing_is_marked_and_the_reason_is_told_when_a_citation_is_not_true(lease, tmp_path, changes, words):
    sha256 = hash_bytes(lease.read_bytes())[:12]
    changes = {key: value.format(sha=sha256) if key == "ref" else value for key, value in changes.items()}
    true, wrong = cite_line(lease, "30 days"), _change(cite_line(lease, "75 euros"), **changes)
    (report,) = annotate([(make_row(lease, [true, wrong]), lease)], tmp_path / "out")
    assert (report.highlight_count, report.note_count, report.unmarked_place_count) == (1, 1, 1)
    (unmarked,) = report.unmarked
    assert words in unmarked.reason
    assert (unmarked.id, unmarked.page) == ("a1", wrong.page)


def test_nothing_is_marked_when_a_quote_stands_twice_on_its_line(tmp_path):
    path = make_pdf(tmp_path / "twice.pdf", "From 30 days to 30 days.\nOther words.")
    report = _annotate_words(path, "30 days", tmp_path / "out")
    assert report.file == ""
    assert report.is_refused
    assert "2 times" in report.unmarked[0].reason
    assert not (tmp_path / "out" / "twice.pdf").exists()


def test_there_is_no_copy_when_the_file_was_changed_after_the_answer(lease, tmp_path):
    row = make_row(lease, [cite_line(lease, "75 euros")])
    lease.write_bytes(lease.read_bytes() + b"\n")
    (report,) = annotate([(row, lease)], tmp_path / "out")
    assert report.reason == "the file was changed since the question was answered"
    assert not (tmp_path / "out" / "lease.pdf").exists()


def test_there_is_no_copy_when_nothing_is_known_or_nothing_was_found(lease, tmp_path):
    citation = cite_line(lease, "75 euros")
    absent = make_row(lease, [], status="not_found", id="a2", document="other.pdf")
    gone, nothing = annotate([(make_row(lease, [citation]), None), (absent, lease)], tmp_path / "out")
    assert (gone.reason, gone.is_refused) == ("it is gone", True)
    assert (nothing.is_refused, nothing.unmarked[0].id) == (False, "a2")
    assert "not found" in nothing.unmarked[0].reason
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["annotations.jsonl"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda content: content[:-200], "damaged"),
        (lambda content: content.replace(b"startxref", b"startxxxx"), "damaged"),
        (lambda _: b"no pdf at all", "not a PDF"),
        (lambda _: b"%PDF-1.7\n1 0 obj\n<<>>", ""),
    ],
    ids=["cut", "without its table", "no PDF", "empty"],
)
def test_there_is_no_copy_when_the_file_is_damaged(lease, tmp_path, spoil, words):
    citation = cite_line(lease, "75 euros")
    lease.write_bytes(spoil(lease.read_bytes()))
    citation = _change(citation, ref=f"{hash_bytes(lease.read_bytes())[:12]}:p1:l1@native.1")
    (report,) = annotate([(make_row(lease, [citation]), lease)], tmp_path / "out")
    assert report.is_refused
    assert words in report.reason
    assert "\n" not in report.reason


def test_the_reason_names_the_limit_when_a_copy_takes_too_much(lease, tmp_path):
    settings = Settings(is_cache_used=False, parse=ParseLimits(max_memory_bytes=100))
    report = annotate([(make_row(lease, [cite_line(lease, "75 euros")]), lease)], tmp_path / "out", settings)[0]
    assert "more than 100" in report.reason


# ---------------------------------------------------------------- encryption and signatures


@pytest.mark.parametrize(
    "method", [pymupdf.PDF_ENCRYPT_RC4_128, pymupdf.PDF_ENCRYPT_AES_128, pymupdf.PDF_ENCRYPT_AES_256]
)
def test_a_copy_stays_encrypted_and_the_same_when_its_document_is(tmp_path, method):
    options = {"encryption": method, "user_pw": "u", "owner_pw": "o", "permissions": -1}
    path = make_pdf(tmp_path / "sealed.pdf", TEXT, **options)
    settings = Settings(is_cache_used=False, password="u")
    row = make_row(path, [cite_line(path, "75 euros", settings)])
    for name in ("one", "two"):
        assert annotate([(row, path)], tmp_path / name, settings)[0].highlight_count == 1
    copy = tmp_path / "one" / "sealed.pdf"
    assert copy.read_bytes() == (tmp_path / "two" / "sealed.pdf").read_bytes()
    assert b"It is this" not in copy.read_bytes()
    with pymupdf.open(copy) as document:
        assert document.needs_pass
        assert not document.authenticate("wrong")
    assert [mark[0] for mark in read_marks(copy, password="u")] == ["Highlight", "Text"]


def test_there_is_no_copy_when_the_password_or_the_permission_is_missing(tmp_path):
    path = make_pdf(tmp_path / "sealed.pdf", TEXT, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u", owner_pw="o")
    row = make_row(path, [cite_line(path, "75 euros", Settings(is_cache_used=False, password="u"))])
    assert "password" in annotate([(row, path)], tmp_path / "out")[0].reason
    closed = make_pdf(
        tmp_path / "closed.pdf", TEXT, encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o",
        permissions=int(pymupdf.PDF_PERM_PRINT),
    )  # fmt: skip
    row = make_row(closed, [cite_line(closed, "75 euros")])
    assert "does not permit" in annotate([(row, closed)], tmp_path / "out")[0].reason
    owner = Settings(is_cache_used=False, password="o")
    assert annotate([(row, closed)], tmp_path / "out", owner)[0].highlight_count == 1


def test_a_warning_is_given_and_the_signed_bytes_stay_when_a_document_is_signed(lease, tmp_path):
    path = tmp_path / "signed.pdf"
    with pymupdf.open(lease) as document:
        value, field = document.get_new_xref(), document.get_new_xref()
        signature = "<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 9 19 9]/Contents<00>>>"
        document.update_object(value, signature)
        document.update_object(field, f"<</FT/Sig/T(s)/V {value} 0 R/Subtype/Widget/Rect[0 0 0 0]>>")
        form = f"<</SigFlags 3/Fields[{field} 0 R]>>"
        document.xref_set_key(document.pdf_catalog(), "AcroForm", form)
        document.save(path)
    report = _annotate_words(path, "75 euros", tmp_path / "out")
    assert report.highlight_count == 1
    assert "signed" in report.warnings[0]
    assert (tmp_path / "out" / "signed.pdf").read_bytes().startswith(path.read_bytes())


# ---------------------------------------------------------------- scans


def _scan(path, box: Box):
    with pymupdf.open() as document:
        page = document.new_page(width=612, height=792)
        page.draw_rect(pymupdf.Rect([edge / 100 for edge in box]), fill=(0.8, 0.8, 0.8))
        document.save(path)
    return path


@pytest.mark.parametrize(
    ("read", "is_marked"), [("The deposit is 75 euros.", True), ("The deposit is 76 euros.", False)]
)
def test_the_box_of_the_line_is_marked_when_the_record_says_that_ocr_read_it_there(tmp_path, read, is_marked):
    box = (10_000, 20_000, 30_000, 21_500)
    path = _scan(tmp_path / "scan.pdf", box)
    sha256 = hash_bytes(path.read_bytes())
    citation = _make_ocr_citation(sha256, box)
    reading = Reading("Tesseract 5", (ReadLine(read, box, 900, 1200, 1),))
    effect = EffectRecord(kind="ocr", key=f"{sha256[:12]}:p1:en", outcome=encode_reading(reading))
    record = _Record(sha256, (effect,))
    reports: list = []
    row = make_row(path, [citation])
    asked = Asked(row, path, "", lambda: record)
    write_copies([asked], Destination(tmp_path / "out"), SETTINGS, reports.append)
    assert bool(reports[0].file) is is_marked
    if is_marked:
        changed, _ = find_changed(path, tmp_path / "out" / "scan.pdf")
        assert _covers(changed, pymupdf.Rect([edge / 100 for edge in box]))[0]
    else:
        assert "holds no such line" in reports[0].unmarked[0].reason


class _Body:
    def __init__(self, sha256, effects):
        self.document_sha256, self.effects = sha256, effects


class _Record:
    """As much of a record as a note asks for."""

    def __init__(self, sha256, effects):
        self.body = _Body(sha256, effects)


def _make_ocr_citation(sha256, box):
    from pipeline.models.answer import Citation

    return Citation(
        page=1, line_start=1, line_end=1, quote="75 euros", ref=f"{sha256[:12]}:p1:l1@ocr.1", boxes=(box,)
    )  # fmt: skip


# ---------------------------------------------------------------- the folder


def test_subfolders_are_kept_when_two_documents_have_the_same_name(tmp_path):
    rows = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        path = make_pdf(tmp_path / folder / "x.pdf", f"The deposit is 75 euros in {folder}.")
        rows.append((make_row(path, [cite_line(path, "75 euros")], document=f"{folder}/x.pdf"), path))
    reports = annotate(rows, tmp_path / "out")
    assert [report.file for report in reports] == ["a/x.pdf", "b/x.pdf"]
    assert all((tmp_path / "out" / report.file).is_file() for report in reports)


@pytest.mark.parametrize(
    "name", ["../up.pdf", "/abs/a.pdf", "x" * 5000 + ".pdf", "a\nb.pdf", "", "..", "con/../../x.pdf"]
)
def test_a_copy_stays_in_its_folder_when_the_name_of_its_document_is_hostile(lease, tmp_path, name):
    before = sorted(tmp_path.rglob("*"))
    (report,) = annotate([(make_row(lease, [cite_line(lease, "75 euros")], document=name), lease)], tmp_path / "out")
    made = [path for path in sorted(tmp_path.rglob("*")) if path not in before and path.is_file()]
    assert [path.relative_to(tmp_path / "out").as_posix() for path in made] == sorted(
        ["annotations.jsonl", report.file]
    )


def test_no_file_is_overwritten_when_another_one_is_in_the_place_of_a_copy(lease, tmp_path):
    row = make_row(lease, [cite_line(lease, "75 euros")])
    content = lease.read_bytes()
    (report,) = annotate([(row, lease)], tmp_path)
    assert "place of the document" in report.reason
    (tmp_path / "out").mkdir()
    other = tmp_path / "out" / "lease.pdf"
    other.write_bytes(b"mine")
    assert "another file" in annotate([(row, lease)], tmp_path / "out")[0].reason
    assert (other.read_bytes(), lease.read_bytes()) == (b"mine", content)
    # an earlier copy may be replaced, and in a folder of our own anything
    assert annotate([(row, lease)], tmp_path / "out", is_own=True)[0].file == "lease.pdf"
    assert annotate([(row, lease)], tmp_path / "out")[0].file == "lease.pdf"


def test_an_old_copy_goes_when_there_is_none_any_more(lease, tmp_path):
    row = make_row(lease, [cite_line(lease, "75 euros")])
    annotate([(row, lease)], tmp_path / "out", is_own=True)
    assert annotate([(row, None)], tmp_path / "out", is_own=True)[0].file == ""
    assert not (tmp_path / "out" / "lease.pdf").exists()


def test_no_link_is_followed_when_a_folder_of_copies_leads_elsewhere(lease, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "deep").symlink_to(tmp_path / "elsewhere")
    row = make_row(lease, [cite_line(lease, "75 euros")], document="deep/lease.pdf")
    assert "link" in annotate([(row, lease)], tmp_path / "out")[0].reason
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_rest_is_made_when_one_name_cannot_be_used(lease, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a").write_bytes(b"a file, where a folder should be")
    citation = cite_line(lease, "75 euros")
    rows = [(make_row(lease, [citation], document=name), lease) for name in ("a/x.pdf", "b.pdf")]
    first, second = annotate(rows, tmp_path / "out")
    assert "cannot have that name" in first.reason
    assert second.file == "b.pdf"


def test_an_error_is_raised_when_the_folder_cannot_be_written(lease, tmp_path):
    row = make_row(lease, [cite_line(lease, "75 euros")])
    with pytest.raises(UsageError, match="cannot be written to"):
        annotate([(row, lease)], lease)


def test_the_same_bytes_come_when_copies_are_made_again(lease, tmp_path):
    rows = [(make_row(lease, [cite_line(lease, words)], id=words), lease) for words in ("75 euros", "30 days")]
    kept = []
    for name in ("one", "two"):
        annotate(rows, tmp_path / name)
        kept.append({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()})
    assert kept[0] == kept[1]
    assert set(kept[0]) == {"annotations.jsonl", "lease.pdf"}


def test_a_note_holds_no_control_characters_and_ends_with_its_run_when_an_answer_is_long(lease, tmp_path):
    row = make_row(
        lease,
        [cite_line(lease, "75 euros")],
        answer="a\x00\x1b\ud800".encode("utf-8", "backslashreplace").decode() + "b" * 9000,
    )
    annotate([(row, lease)], tmp_path / "out")
    text = read_marks(tmp_path / "out" / "lease.pdf")[1][1]["content"]
    assert len(text) < 4200
    assert "\\x00\\x1b\\ud800" in text
    assert "[cut: the results have the whole]" in text
    assert text.endswith("Run: 0123456789abcdef")
