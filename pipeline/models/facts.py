"""The closed list of facts that rules may read; a new one is a field here, computed in policy/facts.py."""

from typing import Literal

from pydantic import Field

from pipeline.models.base import Contract


class Facts(Contract):
    """Facts of one document and one question, computed by code before any rule is read."""

    has_usable_outline: bool = Field(description="native outline with four or more resolvable entries in order")
    has_sections: bool = Field(description="sections were found by any method of the outline cascade")
    section_source: Literal["outline", "contents_links", "contents_text", "typography", "none"] = Field(
        description="which method of the cascade found the sections"
    )
    section_count: int = Field(description="number of sections")
    page_count: int = Field(description="number of physical pages")
    document_kind: str = Field(description="paper, standard, contract, filing, policy, handbook or unknown")
    document_language: str = Field(description="language of the document, ISO 639-1")
    scanned_page_count: int = Field(description="pages that are images without usable text")
    garbled_page_count: int = Field(description="pages whose text cannot be decoded")
    table_page_count: int = Field(description="pages where a table may be flattened into lines")
    column_count: int = Field(description="most columns on a page")
    has_failed_pages: bool = Field(description="a page failed, lacks text or is garbled")
    intent: str = Field(description="intent of the question")
    answer_shape: str = Field(description="shape of the answer asked for")
    value_type: str = Field(description="type of value asked for")
    question_language: str = Field(description="language of the question, ISO 639-1")
    decomposition: str = Field(description="how the question splits into parts")
    sub_question_count: int = Field(description="number of parts of the question")
    anchor_count: int = Field(description="number of anchors")
    focus_count: int = Field(description="number of anchors in the focus")
    identifier_count: int = Field(description="identifiers among the anchors")
    concept_count: int = Field(description="expert concepts among the anchors")
    has_section_hint: bool = Field(description="the question names a section, clause, article or appendix")
    has_page_hint: bool = Field(description="the question names a physical or printed page")
    has_layout_hint: bool = Field(description="the question names a table, figure or other layout")
    has_statement_hint: bool = Field(description="the question names a financial statement")
    asks_for_references: bool = Field(description="the question asks for what the text refers to")
    is_listing: bool = Field(description="a part of the question asks for a list or a count")
    is_open: bool = Field(description="a part asks for reasons, a procedure, a comparison or a summary")
    asks_for_place: bool = Field(default=False, description="a part asks where something stands or is shown")
    has_clarification: bool = Field(description="nothing specific is left to look for")
    has_model_engine: bool = Field(default=False, description="answers are written by a language model")
