"""What the terminal takes from its surroundings: where its state is kept, and whom the server is started for.

Knows:    the XDG rule, and the two variables that name the customer to a server of ours.
Does not: check a customer: the server does.   (serving/settings.py)
"""

import os
from pathlib import Path


def state_folder() -> Path:
    """Return the user's state folder for this project; XDG_STATE_HOME or ~/.local/state holds it."""
    base = os.environ.get("XDG_STATE_HOME", "")
    # The XDG rule: a relative path there is to be ignored.
    root = Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "state"
    return root / "shopkart"


def serve_as(who: str) -> None:
    """Have the server that is started next serve this customer, or the staff.

    By our own environment, of which a server's part is handed on to it (common/settings.server_environment).
    """
    staff = who == "staff"
    os.environ["SHOPKART_ROLE"] = "staff" if staff else "customer"
    if not staff:
        os.environ["SHOPKART_CUSTOMER"] = who
