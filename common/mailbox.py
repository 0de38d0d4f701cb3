"""When two e-mail addresses are one mailbox, for whoever looks a customer up by one.

Knows:    letters' case, the composed form of letters, and domains in letters of any script.
Does not: know what a provider thinks of dots or of what stands after a plus: those are other mailboxes.
Rule:     in doubt two. Case folding and compatibility forms would make one of ß and ss, or of a ligature and
          its letters, and so one customer of two people.
Source:   RFC 5321, 2.4; RFC 5895; UTS #46, non-transitional.
"""

import unicodedata


def email_key(email: str) -> str:
    """Return an e-mail address in the form by which it is compared."""
    local, at, domain = _composed(email.strip()).rpartition("@")
    return f"{_composed(local.lower())}{at}{_domain(domain)}"


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _domain(domain: str) -> str:
    if domain.isascii():
        return domain.lower()
    import idna  # here: its tables are large, and most domains do without

    try:
        return idna.encode(domain, uts46=True).decode("ascii")
    except UnicodeError:  # no name that could be asked for, so compared as it is written
        return _composed(domain.lower())
