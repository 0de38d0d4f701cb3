"""What the tests of the guards share: patterns that are made at their first use are made before any test.

Hypothesis times each example, and the first would pay for all.
"""

from guards.output import Observed, unverified

unverified("Once.", Observed())
