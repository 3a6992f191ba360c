"""What only the statistics pages say."""

from django import template

from feedback.labels import label_of

register = template.Library()
register.filter("words", label_of)


@register.filter
def size_of_change(value: float) -> float:
    """A change without its sign; the arrow beside it says the direction."""
    return abs(value)
