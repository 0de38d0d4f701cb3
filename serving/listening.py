"""Where a server listens, and the names under which it may be asked there.

Knows:    addresses, ports, and which of them only this machine reaches.
Does not: serve anything.   (http.py)
Source:   a page in a browser can have its own name point at this machine (DNS rebinding): then only the
          names of Host and Origin tell its requests from others.
"""

import errno
import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from mcp.server.transport_security import TransportSecuritySettings

PATH = "/mcp"

_LAST_PORT = 65535
_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_NO_SUCH_ADDRESS = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)


class CannotListen(Exception):
    """The address cannot be listened on; the text says why, exit_code is 2 where the option is wrong."""

    def __init__(self, text: str, exit_code: int) -> None:
        super().__init__(text)
        self.exit_code = exit_code


@dataclass(frozen=True)
class Place:
    """An address of this machine: its family, its numeric host, and the port that was asked for."""

    family: socket.AddressFamily
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        """Say whether only programs of this machine can come here."""
        return ipaddress.ip_address(self.host).is_loopback

    @property
    def is_everywhere(self) -> bool:
        """Say whether this stands for every address of the machine."""
        return ipaddress.ip_address(self.host).is_unspecified

    @property
    def name(self) -> str:
        """Return the host as it stands in a URL and in a Host header."""
        return f"[{self.host}]" if ":" in self.host else self.host


def place_of(host: str, port: int) -> Place:
    """Return the address that a host names here.

    Raises: CannotListen when it names none. An empty one would mean every address, which must be asked for.
    """
    if not 0 <= port <= _LAST_PORT:
        raise CannotListen(f"--port {port} is no port. Write a number from 0 to {_LAST_PORT}.", 2)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM) if host.strip() else []
    except (OSError, UnicodeError):
        found = []
    if not found:
        raise CannotListen(f"--host {host!r} names no address. Write 127.0.0.1, or one of this machine.", 2)
    family, _, _, _, address = found[0]
    return Place(family, str(address[0]).partition("%")[0], port)


def listen(place: Place) -> socket.socket:
    """Return a socket that listens there; connections wait in it until they are served.

    Raises: CannotListen.
    """
    try:
        sock = socket.create_server((place.host, place.port), family=place.family, backlog=128)
    except OSError as error:
        raise _cannot(place, error) from None
    # Accepted connections inherit it. asyncio sets it only where a socket names its protocol; without it the
    # body of an answer waits some 40 ms for the client to acknowledge the head (measured).
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def _cannot(place: Place, error: OSError) -> CannotListen:
    if error.errno == errno.EADDRINUSE:
        return CannotListen(
            f"Port {place.port} of {place.host} is in use. End what uses it, or choose another with --port "
            "(0 takes a free one).",
            1,
        )
    if error.errno in _NO_SUCH_ADDRESS:
        return CannotListen(f"--host {place.host} is no address of this machine. Write one that is.", 2)
    if error.errno == errno.EACCES:
        return CannotListen(f"Port {place.port} is not open to you. Choose one above 1023 with --port.", 1)
    return CannotListen(f"Port {place.port} of {place.host} cannot be opened ({error.strerror}).", 1)


def allowed_names(place: Place, further: Iterable[str]) -> TransportSecuritySettings:
    """Return the check of Host and Origin: this machine's own names, the address itself, and further ones.

    A name without a port stands for every port: a proxy in front listens on its own.
    """
    own = () if place.is_everywhere else (place.name,)
    hosts = [form for name in (*_LOOPBACK_NAMES, *own, *further) for form in _with_ports(name)]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"{scheme}://{host}" for host in hosts for scheme in ("http", "https")],
    )


def _with_ports(name: str) -> tuple[str, ...]:
    has_port = ":" in name.rpartition("]")[2]
    return (name,) if has_port else (name, f"{name}:*")
