from portal.lib.plot import Strip, Text, strips

TEXT = Text("Health", "One bar for each hour.")


def test_a_strip_has_a_bar_for_each_known_span_wide_and_small() -> None:
    drawn = strips(TEXT, [Strip("North & East", [1.0, None, 0.5, 0.0])], "Friday", "Sunday")
    assert drawn.count("<svg") == 2
    for shade in ("o2", "o4", "o1"):
        assert drawn.count(f'<rect class="{shade}"') == 2
    assert drawn.count("<rect") == 6
    assert "North &amp; East" in drawn
    assert 'height="22"' in drawn, "the tallest is well"
    assert 'height="3"' in drawn, "the lowest can still be seen"


def test_nothing_is_drawn_of_nothing() -> None:
    assert strips(TEXT, [], "", "") == ""
    assert "<rect" not in strips(TEXT, [Strip("North", [])], "", "")
