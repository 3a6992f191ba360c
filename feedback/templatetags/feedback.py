"""What only the statistics pages say."""

from django import template

register = template.Library()


@register.filter
def size_of_change(value: float) -> float:
    """A change without its sign; the arrow beside it says the direction."""
    return abs(value)
