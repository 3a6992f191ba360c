"""The process that takes reports from database servers: HTTP in, one inbox row out, no Django.

An ASGI server turns every failure into an answer, and the client takes any byte for delivery.
So this process speaks just enough HTTP by itself to be able to say nothing at all.
"""
