"""What the terminal tells a server of ours that it starts: whom it serves.

Knows:    the variables that name the customer.
Does not: check a customer: the server does.   (serving/settings.py)
"""

import os


def serve_as(who: str) -> None:
    """Have the server that is started next serve this customer, or the staff.

    By our own environment, of which a server's part is handed on to it (common/settings.server_environment).
    """
    role = who if who in ("staff", "guest") else "customer"
    os.environ["SHOPKART_ROLE"] = role
    if role == "customer":
        os.environ["SHOPKART_CUSTOMER"] = who
