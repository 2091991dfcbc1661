"""The closed word classes that the reference and number grammars are written in (English, Portuguese, Chinese).

These are terminals of a grammar, as digits are, not vocabulary that a rulebook would tune; open vocabulary lives in
rules/lexicons.
"""

from __future__ import annotations

from typing import NamedTuple

STEMMER_LANGUAGES = {"en": "english", "pt": "portuguese"}


class AbbreviationClasses(NamedTuple):
    """Abbreviations by what their full stop means; written without it."""

    always: frozenset[str]
    before_label: frozenset[str]
    openers: frozenset[str]


ABBREVIATIONS = AbbreviationClasses(
    always=frozenset(
        "e.g i.e eg ie cf vs al viz approx resp incl excl dr mr mrs ms prof st sr sra rev gen hon ex messrs "
        "jan feb mar apr jun jul aug sept sep oct nov dec ca ibid".split()
    ),
    before_label=frozenset(
        "fig figs sec secs no nos art arts eq eqs app ch chap cl tab vol p pp pg para paras pt ref refs ed "
        "n.º nr núm cap pág págs inc corp co ltd exh exhs".split()
    ),
    openers=frozenset(
        "the this these that those it in we our for as on at an such each all any if when while there no "
        "however under see its they he she to by with where o os as em para este esta".split()
    ),
)

# Surface form (folded) -> kind of reference. Full stops after abbreviations are matched by the grammar.
KIND_WORDS: dict[str, str] = {
    **dict.fromkeys(("section", "sections", "sec", "secs", "sect", "§", "§§", "subsection", "subsections"), "section"),
    **dict.fromkeys(("secção", "secções", "seção", "seções", "subseção", "subsecção", "ponto", "pontos"), "section"),
    **dict.fromkeys(("sub-section", "sub-sections"), "section"),
    **dict.fromkeys(("paragraph", "paragraphs", "sub-paragraph", "sub-paragraphs"), "paragraph"),
    **dict.fromkeys(("clause", "clauses", "subclause", "sub-clause", "sub-clauses", "cl"), "clause"),
    **dict.fromkeys(("cláusula", "cláusulas"), "clause"),
    **dict.fromkeys(("article", "articles", "art", "arts", "artigo", "artigos"), "article"),
    **dict.fromkeys(("appendix", "appendices", "appendixes", "app", "apêndice", "apêndices"), "appendix"),
    **dict.fromkeys(("annex", "annexes", "anexo", "anexos"), "annex"),
    **dict.fromkeys(("schedule", "schedules"), "schedule"),
    **dict.fromkeys(("table", "tables", "tab", "tabela", "tabelas", "quadro", "quadros"), "table"),
    **dict.fromkeys(("figure", "figures", "fig", "figs", "figura", "figuras"), "figure"),
    **dict.fromkeys(("equation", "equations", "eq", "eqs", "equação", "equações"), "equation"),
    **dict.fromkeys(("note", "notes", "nota", "notas"), "note"),
    **dict.fromkeys(("footnote", "footnotes", "fn"), "footnote"),
    **dict.fromkeys(("page", "pages", "pg", "p", "pp", "página", "páginas", "pág", "págs"), "page"),
    **dict.fromkeys(("chapter", "chapters", "chap", "ch", "capítulo", "capítulos"), "chapter"),
    **dict.fromkeys(("part", "parts", "parte", "partes"), "part"),
    **dict.fromkeys(("item", "items", "itens"), "item"),
    **dict.fromkeys(("exhibit", "exhibits", "ex", "exh", "exhs"), "exhibit"),
    **dict.fromkeys(("row", "rows", "linha", "linhas"), "row"),
    **dict.fromkeys(("column", "columns", "coluna", "colunas"), "column"),
}
ATTACHMENT_KINDS = frozenset(("exhibit", "attachment", "schedule", "annex", "appendix"))
"""Kinds of what is attached to a document and listed in it by number."""
ATTACHMENT_NOUNS: dict[str, str] = {
    **{word: kind for word, kind in KIND_WORDS.items() if kind in ATTACHMENT_KINDS and len(word) > 3},
    "attachment": "attachment",
    "attachments": "attachment",
}
"""Whole words for them; "attachment" is no reference, since no outline knows places of that name."""
KIND_OPENING = 5
"""Letters that an irregular plural shares with its singular."""
PLURAL_KIND_WORDS = frozenset(
    [word for word in KIND_WORDS if word.endswith("s") and word != "§"] + ["appendices", "§§", "pp", "itens"]
)
# Abbreviations that count as a kind word only with a full stop ("p. 5", "ch. 3"; not "P 5", "art 5").
DOTTED_KIND_WORDS = frozenset(
    "sec secs sect cl art arts app tab fig figs eq eqs fn pg p pp chap ch pág págs ex exh exhs".split()
)
CHINESE_UNIT_KINDS: dict[str, str] = {
    "条": "article",
    "條": "article",
    "章": "chapter",
    "节": "section",
    "節": "section",
    "款": "clause",
    "项": "item",
    "項": "item",
    "页": "page",
    "頁": "page",
    "部分": "part",
    "编": "part",
    "編": "part",
    "行": "row",
    "列": "column",
}
CHINESE_NAME_KINDS: dict[str, str] = {
    "附录": "appendix",
    "附錄": "appendix",
    "附件": "annex",
    "附表": "schedule",
    "公式": "equation",
    "脚注": "footnote",
    "表": "table",
    "图": "figure",
    "圖": "figure",
    "注": "note",
    "章节": "section",
}
LIST_JOINERS = ("and", "or", "through", "thru", "to", "e", "ou", "a", "até", "和", "与", "及", "至", "到", "&")
RANGE_JOINERS = frozenset(("-", "through", "thru", "to", "a", "até", "至", "到"))
# Words after "Section 12 of the ..." that make the reference leave the document.
EXTERNAL_WORDS = (
    "act",
    "code",
    "regulation",
    "regulations",
    "directive",
    "treaty",
    "convention",
    "law",
    "statute",
    "constitution",
    "exchange act",
    "securities act",
    "u.s.c",
    "c.f.r",
    "lei",
    "código",
    "decreto",
    "regulamento",
    "diretiva",
)

NUMBER_WORDS: dict[str, dict[str, int]] = {
    "en": {
        **{
            word: value
            for value, word in enumerate(
                "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
                "seventeen eighteen nineteen twenty".split()
            )
        },
        "thirty": 30,
        "forty": 40,
        "fifty": 50,
        "sixty": 60,
        "seventy": 70,
        "eighty": 80,
        "ninety": 90,
        "hundred": 100,
        "both": 2,
        "dozen": 12,
        "pair": 2,
    },
    "pt": {
        **{
            word: value
            for value, word in enumerate(
                "zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis "
                "dezessete dezoito dezenove vinte".split()
            )
        },
        "uma": 1,
        "duas": 2,
        "tres": 3,
        "quatorze": 14,
        "dezasseis": 16,
        "dezassete": 17,
        "dezanove": 19,
        "trinta": 30,
        "quarenta": 40,
        "cinquenta": 50,
        "sessenta": 60,
        "setenta": 70,
        "oitenta": 80,
        "noventa": 90,
        "cem": 100,
        "ambos": 2,
        "ambas": 2,
        "dúzia": 12,
    },
}
CHINESE_DIGITS = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
# Scale word -> power of ten. "k", "m" and "b" count only when glued to the number of an amount of money.
SCALE_WORDS: dict[str, int] = {
    "thousand": 3,
    "thousands": 3,
    "million": 6,
    "millions": 6,
    "billion": 9,
    "billions": 9,
    "trillion": 12,
    "mn": 6,
    "mm": 6,
    "bn": 9,
    "tn": 12,
    "mil": 3,
    "milhão": 6,
    "milhões": 6,
    "mil milhões": 9,
    "bilhão": 9,
    "bilhões": 9,
    "万": 4,
    "萬": 4,
    "亿": 8,
    "億": 8,
    "百万": 6,
    "万亿": 12,
}
GLUED_SCALES = {"k": 3, "K": 3, "m": 6, "M": 6, "b": 9, "B": 9, "bn": 9, "mn": 6, "BN": 9, "MN": 6}
CURRENCY_SIGNS = {
    "$": "USD",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "￥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "R$": "BRL",
    "US$": "USD",
    "A$": "AUD",
    "C$": "CAD",
    "HK$": "HKD",
    "NT$": "TWD",
}
CURRENCY_CODES = frozenset(
    "USD EUR GBP JPY CNY RMB INR BRL CHF AUD CAD HKD SGD KRW SEK NOK DKK MXN ZAR SAR AED".split()
)
CURRENCY_WORDS = {
    "dollars": "USD",
    "dollar": "USD",
    "euros": "EUR",
    "euro": "EUR",
    "pounds": "GBP",
    "reais": "BRL",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "元": "CNY",
}
# Unit symbols in their own spelling; any lower-case noun is a unit as well.
UNIT_SYMBOLS = frozenset(
    "B KB MB GB TB PB kB kg g mg t km m cm mm µm nm ms s min h Hz kHz MHz GHz W kW MW GW kWh MWh GWh V A GPUs GPU CPUs "
    "CPU TPUs TPU FLOPs FLOPS bps dpi px pt °C °F K L ml m² m³ ha".split()
)
# Words that never are the unit of a number before them.
NOT_UNITS = frozenset(
    "of or and the to in is are was were be been by for with from at as on an that than which who if then but not "
    "per we our it its this these those their there has have had will shall may must can would should could more "
    "less other another through between during under over about after before into when where while also respectively "
    "each only compared versus vs above below due unless until upon within without via against because so such "
    "de da do das dos e em a o os ou para por com no na nos nas que se ao aos à às um uma foi é são million billion "
    "thousand trillion hundred percent million, cent up down hereof thereof hereto through".split()
)
MONTHS: dict[str, int] = {
    **{
        word: value
        for value, word in enumerate(
            "january february march april may june july august september october november december".split(), start=1
        )
    },
    **{word: value for value, word in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)},
    "sept": 9,
    **{
        word: value
        for value, word in enumerate(
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(), start=1
        )
    },
}


def list_kind_forms(folded: str) -> tuple[str, ...]:
    """The singular of a kind of part whose plural no stemmer leads back: "appendix" of "appendices"; else nothing."""
    kind = KIND_WORDS.get(folded, folded)
    is_irregular = not folded.startswith(kind) and folded[:KIND_OPENING] == kind[:KIND_OPENING]
    return (kind,) if is_irregular else ()
