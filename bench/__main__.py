"""Print what the house costs: calls, starts, the help, the agent's own time, tools as data, a large shop.

Run: python -m bench   (or make bench). Exits 0 with every figure printed, reached or not: a busy machine
is no failure. It fails only when something measured does not work.
"""

import sys

import anyio
import anyio.to_thread

from bench.calls import call_rows
from bench.command import help_rows
from bench.contracts import contracts_tables
from bench.measure import Row, table
from bench.scale import scale_rows, scale_table
from bench.start import start_rows
from bench.turn import turn_rows
from bench.workshop import workshop_rows
from bench.workshop_chain import chain_rows

SECTIONS = {
    "tool calls": call_rows,
    "starts": start_rows,
    "the command's help": help_rows,
    "the agent's turns": turn_rows,
    "the workshop's echo": workshop_rows,
    "the workshop's chain": chain_rows,
}


async def main() -> None:
    """Measure section by section, saying on stderr which one runs."""
    rows: list[Row] = []
    for what, measure in SECTIONS.items():
        print(f"Measuring {what} ...", file=sys.stderr)
        rows += await measure()
    print(table(rows))
    print("Measuring contracts ...", file=sys.stderr)
    print("", await anyio.to_thread.run_sync(contracts_tables), sep="\n")
    print("Measuring the store at scale; making a million orders takes a minute or two ...", file=sys.stderr)
    print("", scale_table(scale_rows()), sep="\n")


anyio.run(main)
