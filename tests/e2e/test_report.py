"""The report as a person opens it: in Chromium, offline, by mouse and by keyboard, and on paper.

Without a browser these tests are skipped, by name.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pymupdf
import pytest

from fixtures.rawpdf import lease_pdf, page_objects, raw_pdf, show_lines
from pipeline.models.batch import ResultRow
from pipeline.report.entries import Entry
from pipeline.report.page import write_report
from pipeline.report.sources import read_entries
from tests.e2e.chromium import Browser, Page, find_chromium, open_browser
from tests.e2e.commands import make_environment, run_pdfdocket

QUESTIONS = """id,question,document,expected,tags
deposit,What is the deposit?,lease.pdf,deposit,money
roof,Who repairs the roof?,lease.pdf,,house
zebra,What is the zebra quota?,lease.pdf,,house
turned,What is the deposit for each key?,turned.pdf,75,money
"<b>x</b>","What is ""<script>alert(1)</script>""?",lease.pdf,</script>,"<img src=x>"
gone,What is the deposit?,gone.pdf,,money
"""
MAX_SECONDS = 3
needs_chromium = pytest.mark.skipif(find_chromium() is None, reason="no Chromium is installed")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a batch was run; its results are in `out`."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "docs").mkdir()
    (folder / "docs" / "lease.pdf").write_bytes(lease_pdf())
    key = page_objects([show_lines(["The deposit is 75 euros for each key."])], "/Rotate 90")
    (folder / "docs" / "turned.pdf").write_bytes(raw_pdf(key))
    (folder / "questions.csv").write_text(QUESTIONS, encoding="utf-8")
    done = _run_batch(folder, "out")
    assert done.returncode == 1, done.stderr
    return folder


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with open_browser(tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture
def page(browser: Browser, desk: Path) -> Iterator[Page]:
    """The report of the batch, loaded; nothing may complain and nothing may be fetched while a test looks at it."""
    opened = browser.open_page()
    opened.load(desk / "out" / "report.html")
    yield opened
    assert opened.complaints == []
    assert opened.requests == []


def _run_batch(folder: Path, out: str, *flags: str):
    return run_pdfdocket(["batch", "questions.csv", "--docs", "docs", "--out", out, "--workers", "1", *flags], folder)


def _count_shown(page: Page) -> int:
    shown: int = page.run("[...document.querySelectorAll('article')].filter(row => row.checkVisibility()).length")
    told: str = page.run("document.querySelector('#shown').textContent")
    assert told == f"{shown} of 6 answers shown"
    return shown


def _focus(page: Page) -> str:
    told: str = page.run("document.activeElement.id || (document.activeElement.closest('article') || {}).id || ''")
    return told


@needs_chromium
def test_filters_and_search_change_what_is_shown_when_they_are_used(page: Page):
    assert _count_shown(page) == 6
    page.run("document.querySelector('[data-status=answered]').click()")
    answered = _count_shown(page)
    assert 2 <= answered <= 4
    page.run("document.querySelector('[data-status=failed]').click()")
    assert _count_shown(page) == answered + 1
    page.run("document.querySelector('[type=reset]').click()")
    page.run("new Promise(done => setTimeout(done, 30))")
    assert _count_shown(page) == 6
    page.run("document.querySelector('#search').focus()")
    page.type_text("75 EUROS")
    page.run("new Promise(done => setTimeout(done, 300))")
    assert _count_shown(page) == 1
    assert page.run("document.querySelector('article:not([hidden]) .doc').textContent") == "turned.pdf"
    page.press("Escape")
    assert _count_shown(page) == 6
    for name, value, count in (
        ("document", "2", 1),
        ("tag", "1", 3),
        ("confidence", "below", None),
        ("expected", "1", None),
    ):
        page.run(
            f"const by_{name} = document.querySelector('#by-{name}'); by_{name}.value = '{value}';"
            f" by_{name}.dispatchEvent(new Event('change'))"
        )
        shown = _count_shown(page)
        assert shown < 6
        assert count is None or shown == count
        page.run(f"by_{name}.value = ''; by_{name}.dispatchEvent(new Event('change'))")
    page.run(
        "document.querySelector('#search').value = 'no such words'; document.querySelector('form').requestSubmit()"
    )
    assert _count_shown(page) == 0
    assert page.run("document.querySelector('#none').checkVisibility()")
    page.run("document.querySelector('#again').click()")
    assert _count_shown(page) == 6


@needs_chromium
def test_answers_are_reached_and_opened_when_only_the_keyboard_is_used(page: Page):
    page.press("Tab")
    assert page.run("document.activeElement.className") == "skip"
    assert page.run("document.activeElement.getBoundingClientRect().left") >= 0
    page.press("/", "Slash")
    assert _focus(page) == "search"
    page.press("Escape")
    assert _focus(page) == "a1"
    page.press("j", "KeyJ")
    page.press("ArrowDown")
    assert _focus(page) == "a3"
    page.press("k", "KeyK")
    page.press("ArrowUp")
    assert _focus(page) == "a1"
    style = page.run("getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"
    page.press("Enter")
    assert page.run("document.activeElement.getAttribute('aria-expanded')") == "true"
    assert page.run("document.querySelector('#b1').checkVisibility()")
    page.press("Tab")
    assert page.run("document.querySelector('#a1').contains(document.activeElement)")
    page.press("Escape")
    assert _focus(page) == "a1"
    assert page.run("document.querySelector('#b1').childElementCount") == 0
    page.press(" ", "Space")
    assert page.run("document.querySelector('#b1').childElementCount") > 0


@needs_chromium
@pytest.mark.parametrize("number", [1, 4])
def test_the_page_is_shown_with_its_evidence_marked_when_an_answer_is_opened(page: Page, number: int):
    page.run(f"document.querySelector('#a{number} h3 button').click()")
    seen = page.run(
        f"""(async () => {{
        const figure = document.querySelector("#b{number} figure"), picture = figure.querySelector("img");
        await picture.decode();
        const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight), pen = canvas.getContext("2d");
        pen.drawImage(picture, 0, 0);
        const outer = picture.getBoundingClientRect(), scale = picture.naturalWidth / outer.width;
        const marks = [...figure.querySelectorAll("rect")].map(mark => {{
            const box = mark.getBoundingClientRect();
            const left = Math.round((box.left - outer.left) * scale), top = Math.round((box.top - outer.top) * scale);
            const size = [Math.round(box.width * scale), Math.round(box.height * scale)];
            const pixels = pen.getImageData(left, top, ...size).data;
            let dark = 0;
            for (let at = 0; at < pixels.length; at += 4) dark += pixels[at] < 100;
            return {{ dark, inside: box.left >= outer.left && box.right <= outer.right && box.top >= outer.top
                && box.bottom <= outer.bottom, wide: box.width }};
        }});
        return {{ width: picture.naturalWidth, shown: outer.width, marks, alt: picture.alt }};
        }})()"""
    )
    assert seen["width"] > 500
    assert seen["shown"] > 300
    assert seen["alt"].endswith("as printed")
    assert seen["marks"]
    for mark in seen["marks"]:
        assert mark["inside"]
        assert mark["wide"] > 2
        assert mark["dark"] > 20


@needs_chromium
def test_nothing_of_a_hostile_question_runs_when_its_details_are_opened(page: Page):
    page.run("document.querySelectorAll('h3 button').forEach(head => head.click())")
    assert page.run("document.querySelector('#a5 .q').textContent") == 'What is "<script>alert(1)</script>"?'
    assert page.run("document.querySelectorAll('article img:not([alt])').length") == 0
    assert page.run("document.querySelectorAll('article b').length") < 200
    assert page.run("document.querySelector('#a5 .expected q').textContent") == "</script>"
    assert not [event for event in page.events if event["method"] == "Page.javascriptDialogOpening"]
    # what an attacker would need most of all is refused by the policy of the page
    refused = page.run(
        """new Promise(done => {
        document.addEventListener("securitypolicyviolation", event => done(event.violatedDirective));
        const script = document.createElement("script"); script.textContent = "1"; document.body.append(script); })"""
    )
    assert refused == "script-src-elem"
    page.events = [event for event in page.events if event["method"] != "Log.entryAdded"]


@needs_chromium
def test_colours_follow_the_system_and_the_button_when_it_is_dark(page: Page):
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.run(paper)
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark = page.run(paper)
    assert light != dark
    page.run("document.querySelector('#theme').click()")
    assert page.run(paper) == light
    page.run("document.querySelector('#theme').click()")
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
    assert page.run(paper) == dark
    page.run("document.querySelector('#theme').click()")
    assert page.run(paper) == light


CONTRAST = """(() => {
    const channel = value => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    const read = colour => {
        pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
        return pen.getImageData(0, 0, 1, 1).data;
    };
    const weigh = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
    const behind = part => {
        for (; part; part = part.parentElement) {
            const colour = read(getComputedStyle(part).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return [255, 255, 255];
    };
    const poor = new Set();
    for (const part of document.querySelectorAll("body *:not(script):not(svg):not(svg *)")) {
        const own = [...part.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
        if (!own || !part.checkVisibility() || part.closest(".sheet, option")) continue;
        const [one, other] = [weigh(read(getComputedStyle(part).color)), weigh(behind(part))].sort((a, b) => b - a);
        if ((one + 0.05) / (other + 0.05) < 4.5) poor.add(part.tagName + "." + part.className);
    }
    return [...poor];
})()"""


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast_when_it_is_light_or_dark(page: Page, scheme: str):
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    page.run("document.querySelectorAll('h3 button').forEach(head => head.click())")
    page.run("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    assert page.run(CONTRAST) == []


@needs_chromium
def test_every_control_has_a_name_and_the_page_has_landmarks_when_it_is_read_aloud(page: Page):
    page.run("document.querySelector('h3 button').click()")
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    roles = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
    found = {role for role, _ in roles}
    assert {"banner", "main", "search", "contentinfo", "region", "heading", "article", "status"} <= found
    controls = ("button", "combobox", "searchbox", "link", "image", "figure")
    assert [role for role, name in roles if role in controls and not name] == []


@needs_chromium
def test_answers_are_printed_with_their_pages_when_there_are_few(page: Page):
    with pymupdf.open(stream=page.print_pdf(), filetype="pdf") as printed:
        text = "".join(sheet.get_text() for sheet in printed)
        pictures = sum(len(sheet.get_images()) for sheet in printed)
    assert "What is the deposit?" in text
    assert "Plan" in text
    assert pictures >= 3
    assert "Open all shown" not in text
    # closed again afterwards
    assert page.run("document.querySelectorAll('.row.open').length") == 0


@needs_chromium
def test_the_page_fits_when_the_window_is_narrow(page: Page, desk: Path):
    page.load(desk / "out" / "report.html", width=380)
    page.run("document.querySelectorAll('h3 button').forEach(head => head.click())")
    assert page.run("document.documentElement.scrollWidth") <= 380


@needs_chromium
def test_a_run_is_opened_when_a_link_names_it(browser: Browser, desk: Path):
    row = json.loads((desk / "out" / "results.jsonl").read_bytes().splitlines()[1])
    opened = browser.open_page()
    opened.load(desk / "out" / "report.html")
    opened.run(f"location.hash = 'run-{row['run_id']}'")
    opened.run("new Promise(done => setTimeout(done, 100))")
    assert opened.run("document.querySelector('.row.open').id") == "a2"


@needs_chromium
def test_five_hundred_answers_are_there_in_three_seconds_when_the_page_is_opened(
    browser: Browser, tmp_path: Path, built_documents: Path
):
    entries = list(_ask_many(tmp_path, built_documents))
    many = []
    for number in range(1, 501):
        entry = entries[number % len(entries)]
        many.append(entry._replace(row=entry.row.model_copy(update={"number": number, "run_id": f"{number:016x}"})))
    summary = write_report(many, tmp_path / "report.html")
    assert (summary.row_count, summary.failed_count) == (500, 0)
    opened = browser.open_page()
    seconds = opened.load(tmp_path / "report.html")
    assert opened.run("document.querySelectorAll('article').length") == 500
    print(f"{summary.byte_count / 1e6:.1f} MB, {summary.picture_count} pages, {seconds:.2f} s")
    assert seconds < MAX_SECONDS
    started = opened.run("performance.now()")
    opened.run("document.querySelector('#search').value = 'quorum'; document.querySelector('form').requestSubmit()")
    assert opened.run("performance.now()") - started < 1000
    assert opened.complaints == []


def _ask_many(folder: Path, documents: Path) -> Iterator[Entry]:
    """Entries of some questions of the built documents."""
    lines = []
    for name in ("policy", "standard", "contract", "handbook", "annual", "lists"):
        words = ("Who is responsible?", "What are the exceptions?", "What is the purpose?", "What does Table 1 show?")
        lines += [f'"{text}",{name}.pdf' for text in (*words, "Which records are kept, and how long?")]
    (folder / "many.csv").write_text("question,document\n" + "\n".join(lines), encoding="utf-8")
    command = ["batch", "many.csv", "--docs", str(documents), "--out", "many", "--no-report", "--no-annotated"]
    done = run_pdfdocket(command, folder, timeout=120)
    assert done.returncode == 0, done.stderr
    return read_entries(folder / "many")


def test_the_report_has_the_same_bytes_when_hashes_order_and_processes_differ(desk: Path):
    whole = (desk / "out" / "report.html").read_bytes()
    done = run_pdfdocket(
        ["batch", "questions.csv", "--docs", "docs", "--out", "again", "--workers", "2"], desk, {"PYTHONHASHSEED": "7"}
    )
    assert done.returncode == 1, done.stderr
    assert (desk / "again" / "report.html").read_bytes() == whole
    for seed, command in (("1", ["report", "out"]), ("2", ["report", "out/results.jsonl", "--out", "out/own.html"])):
        done = run_pdfdocket(command, desk, {"PYTHONHASHSEED": seed, "LC_ALL": "C", "TZ": "Asia/Tokyo"})
        assert done.returncode == 0, done.stderr
    assert (desk / "out" / "report.html").read_bytes() == whole
    assert (desk / "out" / "own.html").read_bytes() == whole
    (desk / "out" / "own.html").unlink()


def test_no_page_is_written_when_a_batch_is_told_so(desk: Path):
    done = _run_batch(desk, "bare", "--no-report", "--no-annotated", "--json")
    assert done.returncode == 1, done.stderr
    told = json.loads(done.stdout)
    assert told["has_report"] is False
    assert not (desk / "bare" / "report.html").exists()
    assert not any(name.endswith(".html") for name in told["files"])


def test_runs_and_ledgers_get_pages_too_when_report_is_called(desk: Path, tmp_path: Path):
    done = run_pdfdocket(["ask", desk / "docs" / "lease.pdf", "What is the deposit?", "--json"], tmp_path)
    run = json.loads(done.stdout)["run_id"]
    for source, rows in ((run[:6], 1), (".pdfdocket/ledger.jsonl", 1), (desk / "out" / "ledger.jsonl", 5)):
        done = run_pdfdocket(["report", source, "--out", "new/page.html", "--json"], tmp_path)
        told = json.loads(done.stdout)
        assert (done.returncode, told["row_count"], told["path"]) == (0, rows, "new/page.html")
        assert told["picture_count"] >= 1
        assert run in (tmp_path / "new" / "page.html").read_text(encoding="utf-8") or rows > 1
    done = run_pdfdocket(["report", run], tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "report.html").is_file()
    assert b"report: report.html" in done.stdout


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["questions.csv"], b"not a run, a ledger or results"),
        (["docs"], b"neither results.jsonl nor ledger.jsonl is in it"),
        (["nothing"], b"no run nothing"),
        (["out", "--docs", "gone"], b"no such folder"),
        (["out", "--out", "questions.csv"], b"there is a file that is no report"),
        (["out", "--out", "docs"], b"a folder"),
    ],
)
def test_bad_usage_is_one_line_when_report_is_called(desk: Path, command: list[str], words: bytes):
    before = (desk / "questions.csv").read_bytes()
    done = run_pdfdocket(["report", *command], desk)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count(b"\n") == 1
    assert done.stdout == b""
    assert (desk / "questions.csv").read_bytes() == before


def test_a_full_disk_is_loud_and_the_old_page_stays_when_a_report_is_written(desk: Path, tmp_path: Path):
    row = ResultRow(number=1, line=1, id="q", question="?", document="", document_sha256="", status="failed")
    out = tmp_path / "report.html"
    write_report([Entry(row, None, None)], out)
    before = out.read_bytes()
    # in blocks of 512 bytes: less than the page, and more than anything else that is written
    script = 'ulimit -f 16; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", script, "sh", sys.executable, "-m", "pipeline", "report", desk / "out", "--out", out],
        cwd=tmp_path,
        env=make_environment(tmp_path),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 2
    assert b"cannot be written" in done.stderr
    assert out.read_bytes() == before
    assert sorted(path.name for path in tmp_path.glob(".*.tmp")) == []
