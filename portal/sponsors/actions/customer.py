"""Who pays, as the provider knows them: one for an organisation, also over the years."""

from django.db import transaction

from portal.payments.models import Customer, Order
from portal.sponsors.models import Application


@transaction.atomic
def customer_of(*, application: Application, order: Order, provider: str) -> Customer:
    """The customer of the order: its own, that of an earlier order, or a new one."""
    locked = Order.objects.select_for_update().get(pk=order.pk)
    if locked.customer is not None and locked.customer.provider == provider:
        return locked.customer
    customer = _earlier(application, provider) or Customer.objects.create(
        provider=provider, name=locked.billing_name, email=locked.billing_email
    )
    Order.objects.filter(pk=locked.pk).update(customer=customer)
    order.customer = customer
    return customer


@transaction.atomic
def name_customer(*, customer: Customer, customer_id: str) -> None:
    """The provider's name of it."""
    Customer.objects.filter(pk=customer.pk, customer_id="").update(customer_id=customer_id)
    customer.customer_id = customer_id


def _earlier(application: Application, provider: str) -> Customer | None:
    if application.organisation is None:
        return None
    earlier = Customer.objects.filter(
        provider=provider, orders__application__organisation=application.organisation
    )
    return earlier.order_by("pk").first()
