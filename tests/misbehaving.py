"""An OpenAI-compatible server on loopback that answers as it is told: well, or in each of the ways servers fail."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Script:
    """What the server does next; `requests` are the bodies it was sent. The last behaviour repeats."""

    def __init__(self) -> None:
        self.behaviours: list[Any] = ["hello"]
        self.requests: list[dict[str, Any]] = []

    def next(self) -> Any:
        return self.behaviours.pop(0) if len(self.behaviours) > 1 else self.behaviours[0]


def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
    body = {
        "id": "x",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    return f"data: {json.dumps(body)}\n\n".encode()


class _Handler(BaseHTTPRequestHandler):
    script: Script
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        self.script.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        behaviour = self.script.next()
        if isinstance(behaviour, int):
            return self._send(
                behaviour, "application/json", json.dumps({"error": {"message": f"status {behaviour}, key sk-secret-123", "type": "error"}}).encode()
            )
        if behaviour == "hang":
            time.sleep(5)
            return self._send(200, "application/json", b"{}")
        if behaviour == "bad json":
            return self._send(200, "text/event-stream", b"data: {not json\n\n")
        if behaviour == "html":
            return self._send(200, "text/html", b"<html>proxy login</html>")
        if behaviour == "cut":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Content-Length", "100000")
            self.end_headers()
            self.wfile.write(chunk({"role": "assistant", "content": "half an ans"}))
            self.wfile.flush()
            self.close_connection = True
            self.connection.shutdown(2)
            return None
        if behaviour == "empty":
            return self._stream([chunk({"role": "assistant", "content": ""}), chunk({}, "stop")])
        if behaviour == "refusal":
            return self._stream([chunk({"role": "assistant", "refusal": "I can't help with that."}), chunk({}, "stop")])
        if isinstance(behaviour, str) and not self.script.requests[-1].get("stream"):
            message = {"role": "assistant", "content": behaviour}
            whole = {
                "id": "x",
                "object": "chat.completion",
                "created": 0,
                "model": "m",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }
            return self._send(200, "application/json", json.dumps(whole).encode())
        if isinstance(behaviour, dict):
            call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": behaviour["name"], "arguments": behaviour["arguments"]}}
            return self._stream([chunk({"role": "assistant", "tool_calls": [call]}), chunk({}, "tool_calls")])
        return self._stream([chunk({"role": "assistant", "content": behaviour}), chunk({}, "stop")])

    def _stream(self, chunks: list[bytes]) -> None:
        self._send(200, "text/event-stream", b"".join(chunks) + b"data: [DONE]\n\n")

    def _send(self, status: int, kind: str, body: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True


@contextmanager
def misbehaving_server() -> Iterator[tuple[str, Script]]:
    """(base URL, script) of a server that runs for the block."""
    script = Script()
    handler = type("Handler", (_Handler,), {"script": script})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", script
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
