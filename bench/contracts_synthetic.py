"""Task folders by the hundred, as a partner writes them: what the contracts are measured on.

Knows:    eight functions, two views, three prompts and a skill for any noun. One number, one task.
Does not: measure (contracts.py), or come near the tasks that are shipped.
"""

from pathlib import Path

_NOUNS = (
    "brand coupon offer page menu banner branch courier parcel refund invoice review question ticket "
    "affiliate country city currency language tax bundle option variant tag supplier warehouse stock "
    "reservation shipment label webhook setting theme campaign segment customer group address loyalty "
    "point gift card transaction settlement fee plan subscription abandoned cart wishlist"
).split()
_SIDES = ("", "archived_", "draft_", "partner_", "seasonal_")
_FORMS = 4
"""After so many rounds of the words above a number is added: words grow with the tasks, but slowly."""

_HEAD = """\
name: {noun}
title: The shop's {said}
summary: What the shop keeps about each {said}, and what may be done with it.
upstream: synthetic
"""

_FIELDS = """\
          id: {{type: integer, x-grounding: {noun}_id}}
          name: {{type: string, x-voice: shop}}
          status: {{type: string}}
          amount: {{type: [number, "null"]}}
"""

_READ = """\
  - name: {verb}
    summary: {summary}
    when: {when}
    when_not: To change one, use {noun}_update.
    effect: read
    scopes: [{noun}.read]
    method: GET
    path: /{noun}{tail}
    params:
      type: object
{params}
    request: {{{request}}}
    response:
      data: data
      fields:
{fields}
      told:
        {told}
    failures:
      404: {{say: "The shop has no such {said}.", next: "Ask which one is meant."}}
      429: {{say: "The shop gets too many requests just now.", next: "Try again in a minute.", retry: true}}
    cache: {{ttl_s: 30}}
"""

_WRITE = """\
  - name: {verb}
    summary: {summary}
    when: {when}
    when_not: To look at one, use {noun}_get.
    effect: {effect}
    scopes: [{noun}.read_write]
    method: {method}
    path: /{noun}{tail}
    params:
      type: object
{params}
    request: {{{request}}}
    response:
      data: data
      fields:
        type: object
        properties:
{fields}
      told:
        one: {{en: "The {said} {{id}} was changed.", ar: "تم تعديل {{id}}."}}
    failures:
      404: {{say: "The shop has no such {said}.", next: "Ask which one is meant."}}
    approval: {{en: "{approval}", ar: "تعديل {said}"}}
    asked_for: {{en: [{asked}], ar: [{asked_ar}]}}
"""

_ONE_ID = """\
      required: [number]
      properties:
        number: {{type: integer, minimum: 1, description: The number of the {said}}}"""
_PAGED = """\
      properties:
        status: {{type: string, enum: [active, hidden], description: Only those of this status}}
        page: {{type: integer, minimum: 1, maximum: 1000, description: The page of the list}}"""
_WORD = """\
      required: [word]
      properties:
        word: {{type: string, minLength: 1, maxLength: 60, description: A word of its name}}"""
_NEW = """\
      required: [name]
      properties:
        name: {{type: string, minLength: 1, maxLength: 120, description: The name as customers read it}}
        amount: {{type: number, minimum: 0, description: The amount in the shop's currency}}"""
_CHANGED = """\
      required: [number, name]
      properties:
        number: {{type: integer, minimum: 1, description: The number of the {said}}}
        name: {{type: string, minLength: 1, maxLength: 120, description: The new name}}"""

_SOME = 'some: {{en: "{said} ({{count}}): {{items}}.", ar: "العدد {{count}}: {{items}}."}}\n' + (
    '        each: {{en: "{{name}} (number {{id}})", ar: "{{name}} (رقم {{id}})"}}\n'
    '        none: {{en: "There is no such {said}.", ar: "لا يوجد."}}'
)
_ONE = 'one: {{en: "{{name}} (number {{id}}) is {{status}}.", ar: "{{name}} (رقم {{id}})."}}'

_VIEWS = """\
views:
  - name: cards
    summary: Show several {said} entries as cards with their status.
    data:
      type: object
      required: [entries]
      properties:
        entries:
          type: array
          maxItems: 100
          items:
            type: object
            required: [id, name]
            properties: {{id: {{type: integer}}, name: {{type: string}}}}
    actions:
      - {{name: open, label: Open this {said}, function: {noun}_get}}
    components:
      - {{id: root, component: List, children: {{path: /entries, componentId: card}}}}
      - {{id: card, component: Text, text: {{path: name}}}}
  - name: table
    summary: Show every {said} as a table with its amount.
    data:
      type: object
      properties: {{rows: {{type: array, items: {{type: object, properties: {{name: {{type: string}}}}}}}}}}
    components:
      - {{id: root, component: List, children: {{path: /rows, componentId: row}}}}
      - {{id: row, component: Text, text: {{path: name}}}}
"""

_PROMPT = """\
---
title: {title} the {said} list
summary: {title} each {said} of the shop, step by step.
arguments:
  word: A word of the names that are meant
---
Look at every {said} whose name has {{word}} in it. Say which are hidden, and {verb} what can be better.
"""

_SKILL = """\
---
name: {dashed}-rules
description: How the shop names and orders each {said}, and which of them customers see.
---
# {said}

A name says what it is, and no more. What is hidden stays hidden until somebody asks for it.
Two entries never have one name; the number tells them apart.
"""


def name_of(number: int) -> str:
    """Return the name of a task by its number, from 0."""
    rounds, at = divmod(number, len(_NOUNS))
    side = _SIDES[rounds % _FORMS]
    tail = f"_{rounds // _FORMS}" if rounds >= _FORMS else ""
    return f"{side}{_NOUNS[at]}{tail}"


def files_of_task(number: int, *, changed: bool = False) -> dict[str, bytes]:
    """Return the files of one task. changed: with one word of a summary other than it was."""
    noun = name_of(number)
    said = noun.replace("_", " ")
    texts = {
        "task.yaml": _HEAD.format(noun=noun, said=said),
        "functions.yaml": "functions:\n" + "".join(_functions(noun, said)),
        "views.yaml": _VIEWS.format(noun=noun, said=said),
        f"skills/{noun.replace('_', '-')}-rules/SKILL.md": _SKILL.format(
            dashed=noun.replace("_", "-"), said=said
        ),
    }
    for verb in ("review", "compare", "tidy"):
        texts[f"prompts/{verb}.md"] = _PROMPT.format(title=verb.capitalize(), said=said, verb=verb)
    if changed:
        texts["task.yaml"] = texts["task.yaml"].replace("What the shop keeps", "All that the shop keeps")
    return {path: text.encode() for path, text in texts.items()}


def write_tasks(root: Path, count: int) -> None:
    """Write the folders of the first tasks."""
    for number in range(count):
        write_task(root, number)


def write_task(root: Path, number: int, *, changed: bool = False) -> None:
    """Write the folder of one task."""
    for path, data in files_of_task(number, changed=changed).items():
        place = root / name_of(number) / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _functions(noun: str, said: str) -> list[str]:
    return [
        _read(noun, said, "list", f"List the {said} entries of the shop.", "", _PAGED, "status page"),
        _read(noun, said, "search", f"Find a {said} by a word of its name.", "/search", _WORD, "word"),
        _read(
            noun, said, "count", f"Count the {said} entries by their status.", "/count", _PAGED, "status page"
        ),
        _read(noun, said, "get", f"Show one {said} by its number.", "/{number}", _ONE_ID, ""),
        _write(noun, said, "create", "POST", "", _NEW, "name amount"),
        _write(noun, said, "update", "PUT", "/{number}", _CHANGED, "name"),
        _write(noun, said, "publish", "POST", "/{number}/publish", _ONE_ID, ""),
        _write(noun, said, "delete", "DELETE", "/{number}", _ONE_ID, ""),
    ]


def _read(noun: str, said: str, verb: str, summary: str, tail: str, params: str, query: str) -> str:  # noqa: PLR0913
    one = verb == "get"
    fields = _FIELDS.format(noun=noun)
    shape = f"        type: object\n        properties:\n{fields}".rstrip() if one else _listed(fields)
    return _READ.format(
        noun=noun,
        said=said,
        verb=verb,
        summary=summary,
        when=f"The user asks about a {said} and wants to {verb} what there is.",
        tail=tail,
        params=params.format(said=said),
        request="query: {" + ", ".join(f"{name}: {name}" for name in query.split()) + "}" if query else "",
        fields=shape,
        told=(_ONE if one else _SOME).format(said=said),
    )


def _listed(fields: str) -> str:
    inner = "".join(f"    {line}\n" for line in fields.splitlines())
    head = "        type: array\n        items:\n          type: object\n          properties:\n"
    return (head + inner).rstrip()


def _write(noun: str, said: str, verb: str, method: str, tail: str, params: str, body: str) -> str:  # noqa: PLR0913
    return _WRITE.format(
        noun=noun,
        said=said,
        verb=verb,
        summary=f"{verb.capitalize()} a {said} of the shop.",
        when=f"The user asks to {verb} a {said}.",
        effect="destructive" if verb == "delete" else "write",
        method=method,
        tail=tail,
        params=params.format(said=said),
        request="body: {" + ", ".join(f"{name}: {name}" for name in body.split()) + "}" if body else "",
        fields=_FIELDS.format(noun=noun).rstrip(),
        approval=f"{verb.capitalize()} the {said}",
        asked=verb,
        asked_ar={"create": "أنشئ", "update": "عدل", "publish": "انشر", "delete": "احذف"}[verb],
    )
