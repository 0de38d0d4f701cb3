"""The settings of the shop's data.

Knows:    RETENTION_DAYS.
Does not: say where the data are.   (common/database.py)
"""

from pydantic import Field

from common.settings import Settings


class RetentionSettings(Settings):
    """For how long it is kept whose an order was. 0: for ever."""

    retention_days: int = Field(0, ge=0, le=36_500)
