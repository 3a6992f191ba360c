"""The local twin of the payment provider: its own process, state and pages.

It speaks the part of Stripe's API that the portal uses, shows a hosted payment page, and signs and
delivers webhooks as Stripe does: retried until they are answered, and on request doubled, held
back and delivered in reverse. It runs only where no Stripe key is set, and touches no database of
the portal. `python -m portal.payments.twin` starts it.
"""
