"""Where the provider shows what one of its references names; pure."""

from urllib.parse import quote

SITE = "https://dashboard.stripe.com"
PAGES = {
    "pi_": "payments",
    "ch_": "payments",
    "in_": "invoices",
    "sub_": "subscriptions",
    "cus_": "customers",
    "du_": "disputes",
    "dp_": "disputes",
    "evt_": "events",
}


def object_url(provider: str, ref: str, *, test_mode: bool) -> str:
    """The page of a thing at Stripe; what has none of its own is searched for. Else empty."""
    if provider != "stripe" or not ref:
        return ""
    base = f"{SITE}/test" if test_mode else SITE
    page = next((page for prefix, page in PAGES.items() if ref.startswith(prefix)), "")
    return f"{base}/{page}/{quote(ref)}" if page else f"{base}/search?query={quote(ref)}"
