"""Every threshold of the parser. A change here changes lines or states, so it comes with a new PARSER_REVISION."""

from __future__ import annotations

PARSER_REVISION = 3
"""Stands in every reference and in the key of the parse cache."""

# ---- engine
TEXT_FLAGS = 1 | 2 | 64 | 1024
"""Ligatures and white space verbatim, nothing that a clip path cuts away, vectors collected (they cover text). Without
TEXT_CID_FOR_UNKNOWN_UNICODE (128) a glyph without Unicode shows as U+FFFD; images stay out."""

HEADER_WINDOW = 1024
"""%PDF must stand within this many first bytes (PDF 32000-1, appendix H, note 13)."""

MIN_PAGES_TO_SPLIT = 40
"""Documents with more pages are read by two children, where there are two processors."""

# ---- lines; lengths in thousandths of the font size
MAX_JOIN_GAP = 500
MAX_MARKER_GAP = 4000
MIN_WORD_GAP = 120
MAX_BASELINE_SHIFT = 200
MIN_SCRIPT_SHIFT = 80
MAX_SCRIPT_SIZE = 850
MIN_BOLD_SHARE = 800
MAX_BLOCK_GAP = 350

# ---- columns; widths in thousandths of the page width, tolerance in hundredths of a point
MIN_COLUMN_WIDTH = 180
MAX_COLUMN_WIDTH = 600
MIN_COLUMN_LINES = 6
COLUMN_LINE_SHARE = 150
COLUMN_TOLERANCE = 400
MAX_COLUMN_CROSSINGS = 80
FILLED_WIDTH = 850
FILLED_SHARE = 400
MAX_COLUMN_RETURNS = 4
ACROSS_SHARE = 700

# ---- page checks; shares in thousandths of the characters, letters or tokens of a page
MAX_BLANK_RULES = 4
MIN_UNDEFINED = 5
MAX_UNDEFINED_SHARE = 100
MAX_MOJIBAKE_SHARE = 10
MIN_JUDGED_LETTERS = 60
MIN_COMMON_PAIRS = 85
"""5,252 pages of real documents have 117 or more, 356 in the middle; letters in a wrong order have about 40."""
MAX_NOISY_PAIRS = 250
MIN_USUAL_LETTERS = 600
MIN_NOISE_TOKENS = 20
MAX_NOISE_SHARE = 100
"""The noisiest of the same pages has 40."""
MAX_CELL_CHARACTERS = 16
PAGE_ROW_HEIGHT = 300
MIN_TABLE_ROWS = 3
MAX_RULE_WIDTH = 2
MIN_GRID_RULES = 3
MIN_FIGURE_COVER = 150

# ---- document
LANGUAGE_LINES = 400
MIN_LANGUAGE_SHARE = 40
MIN_CJK_SHARE = 200
KIND_LINES = 400
FRONT_LINES = 200
FRONT_WEIGHT = 6
MAX_TERM_COUNT = 12
MIN_KIND_SCORE = 6
MAX_WARNINGS = 20

# ---- hidden text; sizes in hundredths of a point, alpha and contrast of 255, shares in thousandths
MAX_TINY_SIZE = 100
MAX_TRANSPARENT_ALPHA = 12
MAX_COLOUR_DISTANCE = 24
MIN_BACKGROUND_SHARE = 600
MIN_COVERED_SHARE = 800
MIN_FILL_EDGE = 400
MIN_SCAN_COVER = 600
"""From this share of the page on, an image is a scan and invisible text on it the OCR layer."""

# ---- furniture; bands in thousandths of the page height
FURNITURE_BAND = 130
MIN_FURNITURE_PAGES = 3
FURNITURE_TOLERANCE = 600
MAX_FURNITURE_CHARACTERS = 160
MAX_HEAD_CHARACTERS = 80
MANY_FURNITURE_PAGES = 10
FURNITURE_SHARE = 40
MAX_FURNITURE_ROWS = 5
MAX_FURNITURE_CELLS = 3
MIN_INNER_SHARE = 100
MIN_FLOATING_SHARE = 300
MIN_NUMBERED_PAGES = 3
NUMBER_WINDOW = 4

# ---- outline
MAX_OUTLINE_ENTRIES = 50_000

# ---- headings and the outline cascade; shares in percent, distances in hundredths of a point
HEADING_SIZE_SHARE = 108
"""A line this much larger than running text is set as a heading."""
RECOGNISED_SIZE_SHARE = 112
"""The same for recognised lines, whose heights are whole points and have no weight beside them."""
MAX_RECOGNISED_SHARE = 300
"""Thousandths of the recognised lines that may be headings; where more look like it, only numbers tell."""
HEADING_GAP_SHARE = 60
"""White space around a plain heading, as a share of its height."""
MAX_HEADING_CHARACTERS = 180
MAX_HEADING_LINES = 3
MIN_OUTLINE_ENTRIES = 4
MIN_LANDED_SHARE = 60
"""Entries of an outline or contents page whose heading must be found, or the whole of it is not believed."""
MAX_DISORDER_SHARE = 15
NEAR_HEADING = 4000
CONTENTS_PAGE_SHARE = 12
MIN_CONTENTS_ROWS = 4

OUTLINE_FAULTS = {
    "outline-cycle": "the outline runs in a circle; it was read up to there, {entry_count} bookmarks",
    "outline-external": "{count} of {entry_count} bookmarks lead out of the document",
    "outline-malformed": "{count} of {entry_count} bookmarks have a destination that cannot be read",
    "outline-name-unresolved": "{count} of {entry_count} bookmarks name a destination that is not defined",
    "outline-null": "{count} of {entry_count} bookmarks have no destination",
    "outline-out-of-range": "{count} of {entry_count} bookmarks lead to a page that the document does not have",
    "outline-too-long": "the outline is cut after {entry_count} bookmarks",
    "outline-unreadable": "the outline cannot be read",
}
"""Diagnostics of the outline by code."""

# ---- reading a page again; confidence and shares in thousandths, gaps in thousandths of the height of a line
PICTURE_DPI = 200
MAX_PICTURE_PIXELS = 36_000_000
"""A larger page is drawn at a lower resolution."""
MAX_OCR_SECONDS = 60
MIN_LINE_CONFIDENCE = 500
"""Lines that the recogniser itself is less sure of are left out."""
MAX_CELL_GAP = 1500
UPPER_SHARE = 780
"""Height of a line without descenders, or without ascenders, as a share of one that has both."""
MAX_SIZE_NOISE = 150
MIN_LAYER_AGREEMENT = 800
"""From this share of common words on, the text layer of a scan says what the picture shows, and stays."""
MIN_FLOW_ROWS = 4
MIN_FLOW_SHARE = 800
MIN_RUN_ON_SHARE = 400
"""Lines of running text that go on in the next line of their column; cells of a table hardly ever do."""

# ---- cache
CACHE_BUSY_SECONDS = 5
MAX_CACHE_ROWS = 2000
MAX_EARLY_BYTES = 200_000_000
# pages, characters, bytes of memory and seconds, as ParseLimits has them; known here before any model is loaded
USUAL_LIMITS = (20_000, 60_000_000, 2_000_000_000, 120)
