import datetime as dt

import pytest
from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest
from django.template import Context, RequestContext, Template
from django.test import RequestFactory

from portal import styleguide


def rendered(source: str, request: HttpRequest | None = None, **context: object) -> str:
    told = RequestContext(request, context) if request else Context(context)
    return Template("{% load ui %}" + source).render(told).strip()


def test_words_of_people_are_escaped_in_every_component() -> None:
    nasty = "<script>alert(1)</script>"
    sources = [
        "{% badge nasty nasty %}",
        "{% maturity 3 nasty %}",
        "{% bar 3 label=nasty %}",
        "{% crumbs nasty nasty nasty %}",
        "{% fact nasty nasty note=nasty %}",
        "{% figure nasty nasty unit=nasty note=nasty %}",
        "{% steps 1 nasty %}",
        "{% localnav nasty %}{% tab nasty nasty %}{% endlocalnav %}",
        "{% chip nasty nasty %}",
        "{% section nasty note=nasty more=nasty href=nasty id=nasty %}{{ nasty }}{% endsection %}",
        '{% notice "bad" nasty %}{{ nasty }}{% endnotice %}',
        "{% empty_state nasty nasty %}{{ nasty }}{% endempty_state %}",
        "{% code nasty nasty note=nasty %}{{ nasty }}{% endcode %}",
        "{% command nasty %}{{ nasty }}{% endcommand %}",
        '{% chart nasty "" note=nasty csv=nasty %}{{ nasty }}{% endchart %}',
        "{% scroll nasty %}{{ nasty }}{% endscroll %}",
        "{% filters nasty %}{{ nasty }}{% endfilters %}",
        "{% dialog nasty nasty %}{{ nasty }}{% enddialog %}",
        "{{ nasty|markdown }}",
        '{% include "components/logos.html" with organisations=logos %}',
    ]
    logos = [styleguide.Logo(nasty, nasty, nasty)]
    for source in sources:
        text = rendered(source, nasty=nasty, logos=logos)
        assert "alert(1)" in text, source
        assert nasty not in text, source


@pytest.mark.parametrize(
    ("value", "of", "mark", "width", "at"),
    [(55, 100, 33, "55.0%", "33.0%"), (3, 5, 4, "60.0%", "80.0%"), (7, 5, 9, "100.0%", "100.0%")],
)
def test_a_bar_shows_the_share_and_never_leaves_its_track(
    value: int, of: int, mark: int, width: str, at: str
) -> None:
    text = rendered("{% bar value of=of mark=mark %}", value=value, of=of, mark=mark)
    assert f'class="fill" width="{width}"' in text
    assert f'x1="{at}"' in text
    assert 'aria-hidden="true"' in text


def test_a_bar_of_nothing_is_empty() -> None:
    assert 'width="0.0%"' in rendered("{% bar 3 of=0 %}")


def test_notches_are_filled_up_to_the_maturity() -> None:
    text = rendered('{% maturity 2 "Alpha" %}')
    assert text.count('class="on"') == 2
    assert text.count('class="off"') == 3
    assert "maturity warn" in text
    assert "maturity good" in rendered('{% maturity 5 "Stable" %}')


def test_the_tab_of_the_request_is_current() -> None:
    request = RequestFactory().get("/governance/motions/?state=open")
    source = '{% tab "A" "/governance/motions/" %}{% tab "B" "/governance/" %}'
    text = rendered(source, request=request)
    assert text.count("aria-current") == 1
    assert '<a href="/governance/motions/" aria-current="page">A</a>' in text
    assert "aria-current" not in rendered(source)
    assert "aria-current" in rendered('{% tab "A" "/x/" current=True %}')


def test_a_chip_knows_its_query_and_its_count() -> None:
    request = RequestFactory().get("/governance/motions/?state=open")
    text = rendered(
        '{% chip "Open" "/governance/motions/?state=open" count=1204 %}', request=request
    )
    assert 'aria-current="true"' in text
    assert "1,204" in text


def test_pages_keep_the_other_parameters_of_the_query() -> None:
    request = RequestFactory().get("/x/?q=a&page=2")
    page = Paginator(range(100), 10).get_page(2)
    text = rendered("{% pagination page %}", request=request, page=page)
    assert "?q=a&amp;page=3" in text
    assert "11 – 20 of 100" in text
    assert 'rel="prev"' in text
    assert rendered("{% pagination page %}", page=Paginator([1], 10).get_page(1)) == ""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ 1234567|number }}", "1,234,567"),
        ("{{ 12.345|number:1 }}", "12.3"),
        ("{{ nothing|number }}", "—"),
        ("{{ 3|minus }}", "− 3"),
        ("{{ 112400000|size }}", "112.4 MB"),
        ("{{ 812|size }}", "812 bytes"),
        ("{{ 999|size }}", "999 bytes"),
        ("{{ 1000|size }}", "1.0 kB"),
        ("{{ 6186|size }}", "6.2 kB"),
        ("{{ 5400000000000|size }}", "5400.0 GB"),
        ("{{ nothing|size }}", "—"),
        ('{{ "199369E5404B"|groups_of_four }}', "1993 69E5 404B"),
        ("{% when nothing %}", "—"),
    ],
)
def test_numbers_read_as_people_write_them(source: str, text: str) -> None:
    assert rendered(source, nothing=None) == text


def test_a_path_may_break_after_its_slashes_and_says_nothing_else() -> None:
    shown = rendered("{{ path|breakable }}", path="/repo/<x>/12.3/")
    assert shown == "/<wbr>repo/<wbr>&lt;x&gt;/<wbr>12.3/<wbr>"


def test_a_time_has_words_and_the_date_of_machines() -> None:
    moment = dt.datetime(2026, 11, 20, 18, 0, tzinfo=dt.UTC)
    day = dt.date(2026, 11, 20)
    minute = rendered('{% when moment "minute" %}', moment=moment)
    assert minute == '<time datetime="2026-11-20T18:00:00+00:00">20 Nov 2026, 18:00 UTC</time>'
    assert rendered("{% when day %}", day=day) == '<time datetime="2026-11-20">20 Nov 2026</time>'
    assert ">Nov 2026<" in rendered('{% when day "month" %}', day=day)


class Order(forms.Form):
    name = forms.CharField(label="Legal name", help_text="As in the register.")
    mail = forms.EmailField(label="E-mail", required=False)
    pay = forms.ChoiceField(label="Paying", widget=forms.RadioSelect, choices=[("c", "Card")])
    since = forms.DateField(label="Since", widget=forms.SelectDateWidget, required=False)
    agreed = forms.BooleanField(label="I agree")
    secret = forms.CharField(widget=forms.HiddenInput)

    def clean(self) -> None:
        self.add_error(None, "The tier is full.")


def test_a_field_is_label_hint_control_error_and_they_are_tied_together() -> None:
    form = Order({"mail": "nobody"})
    name = form["name"].as_field_group()
    assert 'aria-describedby="id_name_helptext id_name_error"' in name
    assert 'aria-invalid="true"' in name
    parts = ("<label", 'id="id_name_helptext"', "<input", 'id="id_name_error"')
    places = [name.index(part) for part in parts]
    assert places == sorted(places)
    assert 'class="error" id="id_name_error"' in name
    assert "(optional)" in form["mail"].as_field_group()
    assert "(optional)" not in name
    assert '<label class="choice" for="id_pay_0">' in form["pay"].as_field_group()
    assert '<label class="check" for="id_agreed">' in form["agreed"].as_field_group()
    assert "<fieldset" in form["since"].as_field_group()


def test_the_errors_of_a_form_stand_above_it_with_links() -> None:
    text = rendered("{% form_errors form %}", form=Order({"mail": "nobody", "agreed": "on"}))
    assert "5 things need your attention" in text
    assert '<a href="#id_mail">E-mail</a>' in text
    assert "The tier is full." in text
    assert rendered("{% form_errors form %}", form=Order()) == ""


def test_a_whole_form_renders_its_errors_and_hidden_fields() -> None:
    text = str(Order({"secret": "x"}))
    assert 'type="hidden"' in text
    assert "need your attention" in text


class SignUp(forms.Form):
    name = forms.CharField(label="Your name")
    tier = forms.ChoiceField(label="Tier", choices=[("a", "A")], widget=forms.RadioSelect)
    days = forms.MultipleChoiceField(label="Days", choices=[("1", "1")])
    logo = forms.FileField(label="Logo")
    agreed = forms.BooleanField(label="I agree")
    reason = forms.CharField(label="Reason", error_messages={"required": "Say why."})
    mail = forms.EmailField(label="E-mail")


def test_what_is_left_empty_is_named_with_what_to_do() -> None:
    form = SignUp({"mail": "nobody"})
    wanted = {
        "name": "“Your name” is still empty: fill it in.",
        "tier": "“Tier” is still open: choose one.",
        "days": "“Days” is still open: choose at least one.",
        "logo": "“Logo” is still empty: choose a file.",
        "agreed": "“I agree” is not ticked: tick it to go on.",
        "reason": "Say why.",
        "mail": "Enter a valid email address.",
    }
    assert {field.name: rendered("{{ field|said }}", field=field) for field in form} == wanted
    page = rendered("{% form_errors form %}{{ form.name.as_field_group }}", form=form)
    assert '<a href="#id_name">“Your name” is still empty: fill it in.</a></li>' in page
    assert '<a href="#id_mail">E-mail</a>: Enter a valid email address.' in page
    assert page.count(wanted["name"]) == 2, "above the form, and at the field"
    assert "This field is required" not in page
