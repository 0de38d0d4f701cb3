"""A task that is in order, as files, for tests that break one thing in it."""

from collections.abc import Mapping
from pathlib import Path

TASK = """\
name: brands
title: Brands
summary: The shop's brands.
upstream: salla
"""

FUNCTIONS = """\
functions:
  - name: list
    summary: List the shop's brands.
    when: The user asks which brands there are.
    when_not: For one brand use brands_get.
    effect: read
    scopes: [brands.read]
    method: GET
    path: /brands
    params:
      type: object
      properties:
        word: {type: string, minLength: 1, maxLength: 60, pattern: "^[a-z]+$"}
        tags: {type: array, items: {type: string}}
        page: {type: integer, minimum: 1, maximum: 100, default: 1}
    request:
      query: {keyword: word, "tags": {from: tags, style: bracket}, page: page, expanded: {value: true}}
    response:
      data: data
      fields:
        type: array
        items:
          type: object
          properties:
            id: {type: integer, x-grounding: brand_id}
            name: {type: string}
      pagination: {kind: page, argument: page, more: pagination.totalPages}
      told:
        some: {en: "Brands: {items}.", ar: "العلامات: {items}."}
        each: "{name} (number {id})"
        none: There are none.
    failures:
      429: {say: The shop is busy., retry: true}
    cache: {ttl_s: 30}
  - name: get
    summary: Show one brand.
    when: The user asks about one brand.
    when_not: To find one by its name use brands_list.
    effect: read
    scopes: [brands.read]
    method: GET
    path: /brands/{brand_id}
    params:
      type: object
      required: [brand_id]
      properties:
        brand_id: {type: integer, minimum: 1, x-grounding: brand_id}
    response:
      data: data
      fields: {type: object, properties: {id: {type: integer}, name: {type: string}}}
      told: {one: "Brand {name}."}
  - name: update
    summary: Change a brand.
    when: The user wants a brand changed.
    when_not: To see it use brands_get.
    effect: write
    scopes: [brands.read_write]
    method: PUT
    path: /brands/{id}
    params:
      type: object
      required: [brand_id, name]
      properties:
        brand_id: {type: integer, minimum: 1}
        name: {type: string, minLength: 1, maxLength: 100}
        parent: {type: string, maxLength: 100}
        links:
          type: array
          items: {type: object, properties: {to: {type: string}, text: {type: string}}}
        shop: {type: string, enum: [a, b]}
    request:
      path: {id: brand_id}
      headers: {X-Channel: shop}
      body: {brand.name: name, brand.parent: parent, links: {from: links, items: {to: target}}}
    approval: {en: "Change brand {brand_id} to {name}.", ar: "تغيير {brand_id}."}
    idempotency: {header: Idempotency-Key}
    resolve:
      parent: {function: list, match: [name], value: id}
  - name: delete
    summary: Delete a brand for good.
    when: The user wants a brand deleted.
    when_not: To change one use brands_update.
    effect: destructive
    scopes: [brands.read_write]
    method: DELETE
    path: /brands/{brand_id}
    params:
      type: object
      required: [brand_id]
      properties:
        brand_id: {type: integer, minimum: 1}
    approval: Delete brand {brand_id}.
"""

VIEWS = """\
views:
  - name: table
    summary: Brands as a table.
    data:
      type: object
      properties:
        brands: {type: array, items: {type: object, properties: {name: {type: string}}}}
    actions:
      - {name: open, label: Open it, function: brands_get}
"""

PROMPT = """\
---
title: Tidy the brands
summary: Look through the brands.
arguments:
  letter: The first letter of the brands that are meant
---
Look through the brands that begin with {letter}.
"""

SKILL = """\
---
name: brand-rules
description: How brands are named.
---
# Brands

A name has no slogan in it.
"""

GOOD: Mapping[str, bytes] = {
    "task.yaml": TASK.encode(),
    "functions.yaml": FUNCTIONS.encode(),
    "views.yaml": VIEWS.encode(),
    "prompts/tidy.md": PROMPT.encode(),
    "skills/brand-rules/SKILL.md": SKILL.encode(),
    "README.md": b"# Brands\n",
}


def with_change(path: str, old: str, new: str) -> dict[str, bytes]:
    """Return the files with one text replaced; it must stand there."""
    text = GOOD[path].decode()
    assert old in text, f"{old!r} is not in {path}"
    return {**GOOD, path: text.replace(old, new, 1).encode()}


def write_task(root: Path, name: str, files: Mapping[str, bytes] | None = None) -> Path:
    """Write the good task below a folder under a name, some of its files in another form."""
    for path, data in {**GOOD, **(files or {})}.items():
        place = root / name / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data if path in (files or {}) else data.replace(b"brands_", name.encode() + b"_"))
    head = root / name / "task.yaml"
    head.write_bytes(head.read_bytes().replace(b"name: brands", b"name: " + name.encode()))
    return root / name
