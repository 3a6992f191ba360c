"""Charts as SVG text: classes carry the colours (tokens follow the theme), attributes the rest.

Pure: dataclasses in, text out. Every chart is drawn twice, wide (920 units) and small (340), so
that text is never scaled; the style sheet shows one. ``title`` says what the chart shows and
``description`` what it says; both are read aloud. Words and number formats come from the caller,
who knows the language. Without data the answer is an empty string: show an empty state instead.

Colours: tones 1 to 5 are categories (the first is the subject), shades 1 to 6 an ordered scale.
"""

from portal.lib.plot.bar_ranking import Bar, ranking
from portal.lib.plot.drawing import Text, nice_ticks
from portal.lib.plot.forest_plot import Ratio, forest
from portal.lib.plot.line_chart import Line, Note, lines
from portal.lib.plot.series_roadmap import Series, Span, roadmap
from portal.lib.plot.share_stack import Share, stack
from portal.lib.plot.standalone import standalone
from portal.lib.plot.state_strips import Strip, strips

__all__ = [
    "Bar",
    "Line",
    "Note",
    "Ratio",
    "Series",
    "Share",
    "Span",
    "Strip",
    "Text",
    "forest",
    "lines",
    "nice_ticks",
    "ranking",
    "roadmap",
    "stack",
    "standalone",
    "strips",
]
