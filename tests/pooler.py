"""A pooler in transaction mode, as PgBouncer is one: each transaction of a client may run on another server connection, and none keeps a session.

It speaks as much of Postgres's protocol as a client of ours needs (https://www.postgresql.org/docs/current/protocol.html), and is stricter than PgBouncer:
the server connections take turns, so that no two transactions in a row run on the same one, and each is wiped (``DISCARD ALL``) after every transaction.
A prepared statement, a session setting or a session's lock is therefore gone by the next statement.
"""

import asyncio
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

SSL, GSS, CANCEL = 80877103, 80877104, 80877102
FLUSH, TERMINATE = b"H", b"X"
COPYING = {b"d", b"c", b"f"}  # rows, their end, or that there will be none


@dataclass(eq=False)
class Server:
    """One connection to Postgres, after its startup."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    key: bytes
    hello: bytes
    asked: int = 0  # answers that are due: one for each Sync and each simple query
    simple: bool = False  # the last thing asked was a simple query, which is one message
    between: bool = False  # messages have been sent that no Sync has followed yet

    async def message(self) -> tuple[bytes, bytes]:
        """(type, the whole message)."""
        head = await self.reader.readexactly(5)
        return head[:1], head + await self.reader.readexactly(struct.unpack(">i", head[1:])[0] - 4)

    def send(self, message: bytes) -> None:
        if message[:1] != FLUSH:
            ends = message[:1] in {b"S", b"Q"}
            self.asked, self.between = self.asked + ends, not ends
            self.simple = message[:1] == b"Q" or (self.simple and message[:1] in COPYING)
        self.writer.write(message)

    async def wipe(self) -> None:
        self.writer.write(b"Q" + struct.pack(">i", 16) + b"DISCARD ALL\x00")
        while (await self.message())[0] != b"Z":
            pass


class Pooler:
    """`size` server connections for any number of clients. `transactions` counts by server connection."""

    def __init__(self, socket: str, size: int) -> None:
        self.socket, self.size = socket, size
        self.idle: asyncio.Queue[Server] = asyncio.Queue()
        self.servers: list[Server] = []
        self.transactions: dict[Server, int] = {}
        self.busy: dict[bytes, Server] = {}
        self.connecting = asyncio.Lock()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client, from its first byte to its last."""
        try:
            await self._client(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):  # cancelled: the pooler stops
            pass
        finally:
            writer.close()

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            length, code = struct.unpack(">ii", await reader.readexactly(8))
            startup = await reader.readexactly(length - 8)
            if code not in {SSL, GSS}:
                break
            writer.write(b"N")
        if code == CANCEL:
            if (server := self.busy.get(startup)) is not None:
                _, cancel = await asyncio.open_unix_connection(self.socket)
                cancel.write(struct.pack(">ii", 16, CANCEL) + server.key)
                await cancel.drain()
                cancel.close()
            return
        async with self.connecting:
            while len(self.servers) < self.size:
                await self._connect(struct.pack(">ii", length, code) + startup)
        key = struct.pack(">ii", id(writer) % 2**31, 7)
        writer.write(self.servers[0].hello + b"K" + struct.pack(">i", 16 - 4) + key + b"Z" + struct.pack(">i", 5) + b"I")
        head = await reader.readexactly(5)
        while head[:1] != TERMINATE:
            if head[:1] == FLUSH:  # of nothing
                head = await reader.readexactly(5)
                continue
            head = await self._transaction(key, head, reader, writer) or await reader.readexactly(5)

    async def _transaction(self, key: bytes, head: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """One transaction, whose first message begins with `head`, on the server connection that has rested longest. Returns what was read of the next."""
        server = await self.idle.get()
        self.busy[key] = server
        self.transactions[server] = self.transactions.get(server, 0) + 1
        answering = asyncio.create_task(self._relay(server, writer))
        try:
            while True:
                server.send(head + await reader.readexactly(struct.unpack(">i", head[1:])[0] - 4))
                following = asyncio.create_task(reader.readexactly(5))
                await asyncio.wait({answering, following}, return_when=asyncio.FIRST_COMPLETED)
                if answering.done():
                    following.cancel()  # it takes its five bytes at once or none
                    return following.result() if following.done() else b""
                head = await following
        finally:
            del self.busy[key]
            if answering.done() and not answering.exception():
                await server.wipe()
                self.idle.put_nowait(server)
            else:  # the client went in the middle of a transaction: so does the server connection
                answering.cancel()
                server.writer.close()
                self.servers.remove(server)

    @staticmethod
    async def _relay(server: Server, writer: asyncio.StreamWriter) -> None:
        """Answers to the client, until the transaction has ended and nothing more has been asked (a client may send several statements ahead)."""
        while True:
            kind, message = await server.message()
            writer.write(message)
            server.asked -= kind == b"Z" or (kind == b"G" and not server.simple)  # (a Sync sent before the rows of a COPY gets no answer)
            if kind == b"Z" and message[5:] == b"I" and not server.asked and not server.between:
                return

    async def _connect(self, startup: bytes) -> None:
        reader, writer = await asyncio.open_unix_connection(self.socket)
        server = Server(reader, writer, b"", b"")
        writer.write(startup)
        while True:
            kind, message = await server.message()
            if kind == b"K":
                server.key = message[5:]
            elif kind == b"Z":
                break
            else:
                server.hello += message
        self.servers.append(server)
        self.idle.put_nowait(server)


@asynccontextmanager
async def pooling(socket: str, size: int = 3) -> AsyncIterator[tuple[Pooler, int]]:
    """A pooler in front of the server on this Unix socket, and the port of 127.0.0.1 where it listens."""
    pooler = Pooler(socket, size)
    listening = await asyncio.start_server(pooler.serve, "127.0.0.1", 0)
    async with listening:
        yield pooler, listening.sockets[0].getsockname()[1]
    for server in pooler.servers:
        server.writer.close()
