"""Tasks with one thing wrong in each, and where the problem must be told. None may ever be accepted."""

from dataclasses import dataclass

from tests.contracts.task_files import with_change

F, T, V = "functions.yaml", "task.yaml", "views.yaml"
P, S = "prompts/tidy.md", "skills/brand-rules/SKILL.md"
READ = "    when: The user asks which brands there are.\n"
LIST_QUERY = 'query: {keyword: word, "tags": {from: tags, style: bracket}, page: page, expanded: {value: true}}'
WORD = 'word: {type: string, minLength: 1, maxLength: 60, pattern: "^[a-z]+$"}'
UPDATE_BODY = "body: {brand.name: name, brand.parent: parent, links: {from: links, items: {to: target}}}"
GET_FIELDS = "fields: {type: object, properties: {id: {type: integer}, name: {type: string}}}"


@dataclass(frozen=True)
class Bad:
    """One change that breaks one rule. at: a text on the line that must be named; field, said: of the problem."""

    name: str
    path: str
    old: str
    new: str
    at: str
    field: str
    said: str

    @property
    def files(self) -> dict[str, bytes]:
        return with_change(self.path, self.old, self.new)

    @property
    def line(self) -> int:
        lines = self.files[self.path].decode().split("\n")
        return next(number for number, line in enumerate(lines, 1) if self.at in line) if self.at else 0


FORM = [
    Bad("unknown_key", F, "summary: List", "sumary: List", "sumary", "functions[0].sumary", "mean 'summary'"),
    Bad("missing_key", F, READ, "", "name: list", "functions[0].when", "missing"),
    Bad("unknown_effect", F, "effect: read", "effect: reads", "effect: reads", "functions[0].effect", "'read'"),
    Bad("unknown_method", F, "method: GET", "method: get", "method: get", "functions[0].method", "'GET'"),
    Bad("long_summary", F, "List the shop's brands.", "x" * 201, "xxx", "functions[0].summary", "200 are allowed"),
    Bad("long_label", V, "Open it", "x" * 151, "xxx", "views[0].actions[0].label", "150 are allowed"),
    Bad("long_skill_summary", S, "How brands are named.", "x" * 301, "xxx", "description", "300 are allowed"),
    Bad("long_skill_text", S, "A name has", "x" * 12_001, "", "", "more than 12000"),
    Bad("empty_skill_text", S, "# Brands\n\nA name has no slogan in it.\n", "", "", "", "no text"),
    Bad("long_prompt_text", P, "Look through the brands that", "x" * 12_001, "", "", "more than 12000"),
    Bad("no_head", S, "---\n", "", "name: brand", "", "head"),
    Bad("no_list", F, "scopes: [brands.read]", "scopes: brands.read", "scopes: b", "functions[0].scopes", "a list"),
    Bad("no_number", F, "minLength: 1", "minLength: one", "word:", f"functions[0].params.properties.word.minLength", "whole number"),
    Bad("unknown_keyword", F, "minLength: 1", "min_lenght: 1", "word:", "functions[0].params.properties.word.min_lenght", "Did you mean"),
    Bad("unknown_style", F, "style: bracket", "style: brackets", "keyword: word", "functions[0].request.query.tags.style", "'single'"),
    Bad("bad_constant", F, "{value: true}", "{value: [1]}", "keyword: word", "functions[0].request.query.expanded.value", ""),
    Bad("bad_name", F, "name: list", "name: List", "name: List", "functions[0].name", "does not match"),
    Bad("bad_scope", F, "[brands.read]", "['brands read']", "brands read", "functions[0].scopes[0]", "does not match"),
    Bad("bad_status", F, "429:", "4290:", "4290:", "functions[0].failures.4290", ""),
    Bad("key_twice", F, "    effect: read\n", "    effect: read\n    effect: write\n", "effect: write", "", "second time"),
    Bad("alias", F, READ, "    when: &a The user asks.\n    owner: *a\n", "*a", "", "alias"),
    Bad("tag", F, "summary: List", "summary: !!python/name:os.system List", "!!python", "", ""),
    Bad("tag_on_key", F, "    effect: read", "    !x effect: read", "!x", "", "tag"),
    Bad("no_is_false", F, "expanded: {value: true}", "expanded: {value: no}", "value: no", "", "true or false"),
    Bad("octal", F, "minLength: 1,", "minLength: 010,", "010", "", "looks"),
    Bad("comma_in_braces", F, "say: The shop is busy.", "say: The shop is busy, wait", "is busy", "", "quotes"),
    Bad("nothing_there", T, "upstream: salla", "upstream:", "upstream:", "", "Nothing stands"),
    Bad("bidi_in_comment", F, READ, READ + "    # \u202e\n", "\u202e", "", "U+202E"),
    Bad("bidi_escaped", F, "none: There are none.", 'none: "There \\u202e"', "u202e", "", "U+202E"),
    Bad("unseen_in_a_skill", S, "A name has", "A\u200bname has", "\u200b", "", "U+200B"),
    Bad("not_yaml", F, "    effect: read\n", "    effect: [read\n", "scopes", "", "no YAML"),
    Bad("other_name", T, "name: brands", "name: brand", "name: brand", "name", "folder is 'brands'"),
    Bad("other_skill_name", S, "name: brand-rules", "name: rules", "name: rules", "name", "folder is 'brand-rules'"),
    Bad("undeclared_in_prompt", P, "{letter}", "{letter} {day}", "arguments:", "arguments", "{day}"),
    Bad("unused_in_prompt", P, "{letter}", "a", "letter:", "arguments.letter", "no {letter}"),
]

EFFECT = [
    Bad("get_that_writes", F, "effect: read\n", "effect: write\n", "effect: write", "functions[0].effect", "GET only reads"),
    Bad("post_that_reads", F, "method: GET", "method: POST", "effect: read", "functions[0].effect", "POST may change"),
    Bad("put_that_reads", F, "effect: write", "effect: read", "effect: read", "functions[2].effect", "PUT may change"),
    Bad("delete_that_writes", F, "effect: destructive", "effect: write", "effect: write", "functions[3].effect", "destroys"),
    Bad("read_with_more", F, "[brands.read]", "[brands.read_write]", "read_write", "functions[0].scopes", "brands.read_write"),
    Bad("read_with_another", F, "[brands.read]", "[brands.read, admin]", "admin", "functions[0].scopes", "asks for admin"),
    Bad("write_with_less", F, "[brands.read_write]", "[brands.read]", "x", "functions[2].scopes", "may change"),
    Bad("scope_twice", F, "[brands.read]", "[brands.read, brands.read]", ", brands.read]", "functions[0].scopes", "twice"),
    Bad("read_with_approval", F, READ, READ + "    approval: Sure?\n", "approval", "functions[0].approval", "never asked"),
    Bad("read_asked_for", F, READ, READ + "    asked_for: {en: [x]}\n", "asked_for", "functions[0].asked_for", "need not"),
    Bad("write_without_approval", F, '    approval: {en: "Change brand {brand_id} to {name}.", ar: "تغيير {brand_id}."}\n', "", "name: update", "functions[2].approval", "no sentence"),
    Bad("destructive_without_approval", F, "    approval: Delete brand {brand_id}.\n", "", "name: delete", "functions[3].approval", "no sentence"),
    Bad("write_cached", F, "    idempotency:", "    cache: {ttl_s: 5}\n    idempotency:", "ttl_s: 5", "functions[2].cache", "never cached"),
    Bad("destructive_cached", F, "    approval: Delete", "    cache: {ttl_s: 5}\n    approval: Delete", "ttl_s: 5", "functions[3].cache", "never cached"),
    Bad("cache_leaves_out", F, "{ttl_s: 30}", "{ttl_s: 30, keys: [word]}", "keys", "functions[0].cache", "tags, page"),
    Bad("cache_unknown", F, "{ttl_s: 30}", "{ttl_s: 30, keys: [word, tags, page, day]}", "keys", "functions[0].cache", "day"),
    Bad("read_idempotent", F, READ, READ + "    idempotency: {}\n", "idempotency", "functions[0].idempotency", "A read"),
]  # fmt: skip

PATHS = [
    Bad(f"path_{name}", F, "path: /brands\n", f"path: '{path}'\n", path, "functions[0].path", said)
    for name, path, said in (
        ("host", "https://evil.example/x", "does not match"),
        ("two_slashes", "//evil.example/x", "plain path"),
        ("inner_slashes", "/a//b", "plain path"),
        ("upwards", "/brands/../admin", "upwards"),
        ("here", "/brands/./x", "upwards"),
        ("encoded_slash", "/brands/%2fadmin", "plain path"),
        ("encoded_dots", "/%2e%2e/admin", "plain path"),
        ("query", "/brands?all=1", "plain path"),
        ("fragment", "/brands#x", "plain path"),
        ("backslash", "/brands\\..\\x", "plain path"),
        ("at", "/@evil.example/", "plain path"),
        ("space", "/brands x", "plain path"),
        ("brace", "/brands/{id", "plain path"),
        ("letters", "/brânds", "plain path"),
        ("undeclared", "/brands/{brand_id}", "not declared"),
        ("optional", "/brands/{word}", "may be left out"),
        ("list", "/brands/{tags}", "may be left out"),
    )
]
