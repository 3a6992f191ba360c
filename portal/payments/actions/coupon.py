"""Coupons: made by staff, redeemed in the transaction that places the order."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.money import Money
from portal.payments.actions.order import Discount
from portal.payments.models import Coupon


class CouponError(ValueError):
    """The words tell the person who typed the code why it does nothing."""


@transaction.atomic
def create_coupon(
    *,
    actor: User,
    code: str,
    percent: int | None = None,
    amount: Money | None = None,
    valid_from: datetime,
    valid_until: datetime | None = None,
    uses: int | None = None,
    note: str = "",
) -> Coupon:
    """A new code, by a share or by an amount; the database refuses both and neither."""
    coupon = Coupon.objects.create(
        code=code.strip().upper(),
        percent=percent,
        amount_minor=amount.minor if amount else None,
        currency=amount.currency if amount else "",
        valid_from=valid_from,
        valid_until=valid_until,
        uses=uses,
        note=note,
    )
    audit.record(actor=actor, verb="coupon.create", subject=coupon, note=note)
    return coupon


@transaction.atomic
def redeem_coupon(*, code: str, price: Money, at: datetime) -> Discount:
    """What the code takes off `price`. Its row stays locked until the order is placed.

    Raises CouponError when it does not exist, is not valid now, is used up, or takes off nothing
    or everything. Call it in the transaction that places the order.
    """
    coupon = Coupon.objects.named(code).select_for_update().first()
    if coupon is None:
        raise CouponError(_("There is no such coupon. Check the code for a typing error."))
    if not Coupon.objects.valid_at(at).filter(pk=coupon.pk).exists():
        raise CouponError(_("This coupon is not valid today."))
    if coupon.uses_left == 0:
        raise CouponError(_("This coupon was used as often as it may be."))
    off = coupon.off(price)
    if off.minor == 0:
        raise CouponError(_("This coupon is for another currency."))
    if off.minor >= price.minor:
        raise CouponError(_("This coupon is worth more than what you are buying."))
    return Discount(coupon, off)
