"""The socket that a server listens on.

Knows: real sockets of this machine.
"""

import socket

from serving.listening import listen, place_of


def test_an_answers_body_does_not_wait_until_its_head_is_acknowledged() -> None:
    with listen(place_of("127.0.0.1", 0)) as listening:
        with socket.create_connection(listening.getsockname()):
            accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
