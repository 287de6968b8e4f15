"""The limits of asking: times in seconds, sizes in bytes."""

from __future__ import annotations

__all__ = [
    "CHUNK",
    "CONNECT_TIMEOUT",
    "DEADLINE",
    "FIRST_WAIT",
    "MAX_REDIRECTS",
    "MAX_RETRIES",
    "MAX_RETRY_AFTER",
    "READ_TIMEOUT",
    "REST",
    "RETRY_STATUS",
    "TOTAL_TIMEOUT",
]

TOTAL_TIMEOUT = 90.0  # of one question to one server, with redirects, retries and waits
CONNECT_TIMEOUT = 5.0
READ_TIMEOUT = 20.0  # between two pieces of an answer
DEADLINE = 180.0  # of a whole question, over all servers
REST = 30.0  # that a host is left alone after it did not answer; longer where it asks for it
FIRST_WAIT = 0.5  # before the first retry; doubled for each further one
MAX_RETRIES = 3
MAX_RETRY_AFTER = 60.0  # a server that asks for more is not waited for
MAX_REDIRECTS = 3
RETRY_STATUS = (429, 502, 503, 504)
CHUNK = 16384
