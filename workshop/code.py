"""The code in what a model wrote: without the fence, the greeting and the explanation.

Knows:    fences, the phrases around them, and whether what is left parses.
Does not: judge whether it works.
Standard library only: the agents start with it.
"""

import ast
import re

# Possessive: a megabyte of backticks costs a megabyte's time.
_FENCE = re.compile(r"^[ \t]*+(?P<mark>`{3,}+|~{3,}+)[ \t]*+(?P<word>[\w+#.-]*+)[^\n]*+\n", re.MULTILINE)
_TRIED_CHARS = 20_000_000
"""So many characters are parsed in search of the code in an answer without a fence: some seconds."""

_PYTHON_WORDS = frozenset({"", "python", "py", "python3"})


def code_of(text: str, path: str = "") -> str:
    """Return the code of an answer; of several fenced blocks, those that belong into the file.

    path: the file that was asked for. A block of another language, such as the commands to run it, is left
    out where one of the file's own is there.
    """
    text = text.replace("\r\n", "\n").replace("\ufeff", "")
    blocks = _blocks(text)
    if not blocks:
        return _without_words(text, path)
    if not path.endswith(".py"):
        return _ended(blocks[0][1])
    own = [body for word, body in blocks if word in _PYTHON_WORDS]
    parsing = [body for body in own if problem_of(body) == ""]
    return _ended(_joined(parsing or own or [body for _, body in blocks]))


def _blocks(text: str) -> list[tuple[str, str]]:
    """Return (language, body) of each fenced block; one that is not closed goes on to the end."""
    blocks: list[tuple[str, str]] = []
    at = 0
    while opened := _FENCE.search(text, at):
        mark = opened["mark"]
        closing = re.compile(rf"^[ \t]*+{re.escape(mark[0])}{{{len(mark)},}}+[ \t]*+$", re.MULTILINE)
        closed = closing.search(text, opened.end())
        end = closed.start() if closed else len(text)
        blocks.append((opened["word"].lower(), text[opened.end() : end]))
        at = closed.end() if closed else len(text)
    return blocks


def _joined(blocks: list[str]) -> str:
    """Return the first block that defines something, with what later ones define that it does not."""
    first = blocks[0]
    known = _defined(first)
    for block in blocks[1:]:
        added = _defined(block)
        if added and not added & known:
            first = f"{first.rstrip()}\n\n\n{block}"
            known |= added
        elif not known and added:
            first, known = block, added
    return first


def _defined(source: str) -> set[str]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, kinds)}


def _without_words(text: str, path: str) -> str:
    """Return an answer without a fence, freed of the sentences before and after the code."""
    if not path.endswith(".py") or problem_of(text) == "":
        return _ended(text)
    lines = text.split("\n")
    starts = [number for number, line in enumerate(lines) if _begins_code(line)]
    left = _TRIED_CHARS
    for start in starts[:3]:
        for end in range(len(lines), start, -1):
            candidate = "\n".join(lines[start:end])
            left -= len(candidate)
            if left < 0:
                return _ended(text)
            if candidate.strip() and problem_of(candidate) == "":
                return _ended(candidate)
    return _ended(text)


def _begins_code(line: str) -> bool:
    return bool(re.match(r'(?:import |from \w|def |async def |class |@\w|#|"""|[A-Za-z_]\w* *=[^=])', line))


def _ended(source: str) -> str:
    stripped = source.strip("\n").rstrip()
    return f"{stripped}\n" if stripped else ""


def problem_of(source: str) -> str:
    """Return why this is no Python, as in "line 3: invalid syntax"; "" where it is some."""
    try:
        ast.parse(source)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or type(error).__name__
    return ""


def outline(source: str) -> str:
    """Return the signatures of a module, one a line with what its docstring begins with."""
    try:
        return "\n".join(_outlined(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def _outlined(tree: ast.Module) -> list[str]:
    lines: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            lines.append(f"class {node.name}:")
            lines += [f"    {_signature(each)}" for each in node.body if isinstance(each, _FUNCTION)]
        elif isinstance(node, _FUNCTION):
            lines.append(_signature(node))
    return lines


_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    said = (ast.get_docstring(node) or "").split("\n")[0]
    return f"def {node.name}({ast.unparse(node.args)}){returns}: {'# ' + said if said else '...'}"
