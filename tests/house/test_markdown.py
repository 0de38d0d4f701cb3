"""The reader of our pages sees what a person sees."""

from tests.house.markdown import Fence, anchors, commands, fences, links, spans

PAGE = """# Run it, now

Type `make chat`. See [how](docs/a.md#the-gates) and [here](#run-it-now).

```console
$ make test
12 passed
```

```python no-run
x = "[not](a-link)"
```
"""


def test_a_page_is_taken_apart():
    assert fences(PAGE) == [
        Fence("console", (), "$ make test\n12 passed\n", 5),
        Fence("python", ("no-run",), 'x = "[not](a-link)"\n', 10),
    ]
    assert list(commands(PAGE)) == ["make test", "make chat"]
    assert links(PAGE) == ["docs/a.md#the-gates", "#run-it-now"]
    assert anchors(PAGE) == {"run-it-now"}
    assert spans(PAGE) == ["make chat"]
