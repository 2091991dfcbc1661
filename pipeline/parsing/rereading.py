"""A page read again by what is no pure function, OCR or a layout model; the outcome is JSON of integers and text."""

from __future__ import annotations

import json
from typing import NamedTuple

from pipeline.canonical import hash_bytes
from pipeline.errors import DocumentError
from pipeline.parsing import layout, ocr
from pipeline.parsing.cache import PackedCache, find_cache_folder
from pipeline.parsing.child import can_fork, finish_child, run_spawned, start_child
from pipeline.parsing.constants import PARSER_REVISION
from pipeline.parsing.early import read_engine
from pipeline.parsing.jobs import Job
from pipeline.parsing.ocr import ReadLine
from pipeline.parsing.source import PageSource, read_source


class Reading(NamedTuple):
    """What a method read on a page: engine and version, its lines (or regions), or the reason why there are none."""

    engine: str
    lines: tuple[ReadLine, ...] = ()
    reason: str = ""


def encode_reading(reading: Reading) -> str:
    """A reading as JSON: text and whole numbers only."""
    return json.dumps(reading._asdict(), ensure_ascii=False)


def decode_reading(outcome: str) -> Reading:
    """A reading from its JSON."""
    told = json.loads(outcome)
    lines = tuple(
        ReadLine(text, (box[0], box[1], box[2], box[3]), confidence, size, block)
        for text, box, confidence, size, block in told["lines"]
    )
    return Reading(told["engine"], lines, told["reason"])


def read_page_again(source: PageSource, page: int, method: str, language: str) -> str:
    """JSON of the `Reading` of a page by "ocr" or "layout", from the cache or freshly. It never raises for a bad page.

    `language` (ISO 639-1) is what the text is expected to be in.
    """
    return encode_reading(_read(source, page, "layout" if method == "layout" else "ocr", language))


def _read(source: PageSource, page: int, method: str, language: str) -> Reading:
    engine = ocr.find_tesseract(language) if method == "ocr" else None
    # the version is part of the key: another engine reads anew
    name = engine.name if engine else _name_extra(method)
    if not name:
        return Reading("", reason=layout.MISSING if method == "layout" else ocr.MISSING)
    settings = source.settings
    # decrypted text stays out of the cache
    is_cached = settings.is_cache_used and not source.is_encrypted
    cache = PackedCache(find_cache_folder(settings.cache_folder)) if is_cached else None
    key = f"reading:{source.sha256}:p{page}:{method}:{name}:{PARSER_REVISION}:{read_engine()}"
    kept = cache.load(key) if cache else None
    if kept is not None:
        return decode_reading(kept.decode("utf-8"))
    try:
        reading = _recognise(source, page, engine) if engine else _ask_child(source, page, method)
    except (DocumentError, TimeoutError) as error:
        # a limit of time is neither cached nor claimed to be the page's own fault
        return Reading(name, reason=str(error))
    if cache is not None and not reading.reason:
        cache.store(key, encode_reading(reading).encode("utf-8"))
    return reading


def _name_extra(method: str) -> str:
    """Package and version of the extra that serves a method, or "" where it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    package = "pymupdf-layout" if method == "layout" else "rapidocr"
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return ""


def _recognise(source: PageSource, page: int, engine: ocr.Tesseract) -> Reading:
    told, picture = _run_child(source, page, "picture")
    if told["state"] != "ok":
        return Reading(engine.name, reason=str(told["message"]))
    return Reading(engine.name, ocr.recognise_picture(engine, picture, int(str(told["dpi"]))))


def _ask_child(source: PageSource, page: int, method: str) -> Reading:
    told, _ = _run_child(source, page, method)
    if told["state"] != "ok":
        return Reading("", reason=str(told["message"]))
    return decode_reading(json.dumps({"engine": told["engine"], "lines": told["lines"], "reason": ""}))


def _run_child(source: PageSource, page: int, reading: str) -> tuple[dict[str, object], bytes]:
    """The child's answer and what comes behind it. Raises DocumentError when the file is another than before."""
    limits = source.settings.parse
    content = read_source(source.path, limits.max_memory_bytes)
    if hash_bytes(content) != source.sha256:
        raise DocumentError("unreadable", f"{source.path}: the file has changed since it was read", "ask again")
    password = source.settings.password
    job = Job(
        password, limits.max_pages, limits.max_characters, limits.max_memory_bytes, limits.max_seconds, page, reading
    )  # fmt: skip
    outcome = finish_child(start_child(content), job) if can_fork() else run_spawned(content, job)
    if outcome.failure or not outcome.parts:
        return {"state": "limit", "message": f"the child that reads it broke down ({outcome.failure})"}, b""
    first, _, rest = outcome.parts[0].partition(b"\n")
    told: dict[str, object] = json.loads(first)
    return told, rest
