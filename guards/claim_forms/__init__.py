"""How an action is claimed in Spanish, Russian, Arabic and Hindi: one file a language, patterns only."""

from guards.claim_forms.arabic import ARABIC
from guards.claim_forms.hindi import HINDI
from guards.claim_forms.russian import RUSSIAN
from guards.claim_forms.spanish import SPANISH

ABROAD = (SPANISH, RUSSIAN, ARABIC, HINDI)

__all__ = ["ABROAD"]
