"""Asks many servers at the same time."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import ssl
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass

from .hosts import Address
from .packets import ProtocolError, ServerError
from .reports import NothingSaidError, report_of
from .session import Account, Tls, connect


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of one server: its report, or why there is none."""

    host: str
    at: dt.datetime
    report: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """How servers are asked; the same for all of them."""

    account: Account
    tls: Tls
    patience: float  # seconds for one server
    at_once: int


async def gather(servers: Mapping[str, Address], way: Way) -> AsyncIterator[Asked]:
    """What comes of each server, as soon as it is known."""
    waiting, answers = iter(servers.items()), asyncio.Queue[Asked]()
    askers = [
        asyncio.create_task(_ask_next(waiting, way, answers))
        for _ in range(min(way.at_once, len(servers)))
    ]
    try:
        for _ in servers:
            yield await answers.get()
    finally:
        for asker in askers:
            asker.cancel()


async def _ask_next(
    waiting: Iterator[tuple[str, Address]], way: Way, answers: asyncio.Queue[Asked]
) -> None:
    for host, address in waiting:
        answers.put_nowait(await ask(host, address, way))


async def ask(host: str, address: Address, way: Way) -> Asked:
    """One server. Whatever goes wrong with it is said, and stops no other."""
    now = dt.datetime.now(dt.UTC)
    try:
        async with asyncio.timeout(way.patience):
            session = await connect(address, way.account, way.tls)
            try:
                return Asked(host, now, report=await report_of(session))
            finally:
                session.close()
    except TimeoutError:
        return Asked(host, now, error=f"no answer within {way.patience:g} seconds")
    except (ServerError, ProtocolError, NothingSaidError) as error:
        return Asked(host, now, error=str(error))
    except ssl.SSLCertVerificationError as error:
        return Asked(host, now, error=f"its certificate is not good: {error.verify_message}")
    except (OSError, ssl.SSLError) as error:
        number = error.errno or 0  # those of names and of TLS are not the system's
        words = os.strerror(number) if number > 0 else str(error)
        return Asked(host, now, error=words or type(error).__name__)
