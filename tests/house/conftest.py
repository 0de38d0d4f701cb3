"""Print the longest files and functions after the tests, so that growth is seen before it hits the cap."""

import pytest

from tests.house.sizes import file_sizes, function_sizes


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.section("five longest files and functions")
    for size in [*file_sizes()[:5], *function_sizes()[:5]]:
        terminalreporter.line(f"{size.lines:>4} of {size.limit}  {size.name}")
