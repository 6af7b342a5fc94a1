import { describe, expect, test } from "vitest";

import { manifestsIn, type ManifestProblem, type ManifestText } from "./manifests-in.ts";

const CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n";

function read(text: string | Uint8Array): { readonly manifests: readonly ManifestText[]; readonly errors: readonly ManifestProblem[] } {
  const all = [...manifestsIn(typeof text === "string" ? Buffer.from(text) : text)];
  return { manifests: all.filter((each) => "object" in each), errors: all.filter((each) => "message" in each) };
}

function seen(text: string | Uint8Array): readonly string[] {
  const { manifests, errors } = read(text);
  return [
    ...manifests.map(({ object, line }) => `${object.kind}/${object.metadata.name}:${line}`),
    ...errors.map((e) => `${e.line}: ${e.message}`),
  ];
}

describe("what a file holds", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
    .split("")
    .map((c, i) => `${c}: &${c} [${Array(10).fill(`*${"abcdefghi"[i]}`).join(",")}]`)
    .join("\n")}`;
  const wide = `${CONFIG}data:\n  a: &a ${"x".repeat(100_000)}\n${Array.from({ length: 100 }, (_, i) => `  k${i}: *a`).join("\n")}\n`;
  const cases: readonly (readonly [title: string, text: string | Uint8Array, expected: readonly string[]])[] = [
    ["one object", CONFIG, ["ConfigMap/a:1"]],
    [
      "documents, with empty ones and comments between",
      `# c\n---\n${CONFIG}---\n---\n# nothing\n---\n${CONFIG.replace("a\n", "b\n")}`,
      ["ConfigMap/a:3", "ConfigMap/b:11"],
    ],
    ["JSON", `{\n "apiVersion": "v1",\n "kind": "ConfigMap",\n\t"metadata": {"name": "j"}}`, ["ConfigMap/j:1"]],
    ["a byte order mark", `\uFEFF${CONFIG}`, ["ConfigMap/a:1"]],
    ["Windows' line ends", CONFIG.replaceAll("\n", "\r\n"), ["ConfigMap/a:1"]],
    [
      "a list, each item with its line",
      `apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: s}}\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n- 3\n`,
      ["Secret/s:4", "Pod/p:5", "8: an item of the list is no object"],
    ],
    ["nothing", "", []],
    ["what only local tools read", `${CONFIG}  annotations: {config.kubernetes.io/local-config: "true"}\n`, []],
    ["bytes that are not UTF-8", Uint8Array.of(0x61, 0xff), ["1: the file is not UTF-8"]],
    ["UTF-16", Buffer.from("\uFEFFa: b", "utf16le"), ["1: the file is not UTF-8"]],
    ["a key twice", `${CONFIG}kind: Pod\n`, ["5: a key stands twice in one map"]],
    ["a key twice, deep in a list", `${CONFIG}x:\n- {a: 1, "a": 2}\n`, ["6: a key stands twice in one map"]],
    ["a key twice by another spelling", `${CONFIG}x: {on: 1, yes: 2}\n`, ["5: a key stands twice in one map"]],
    ["the same key in two maps", `${CONFIG}x: {a: 1}\ny: {a: 1}\n`, ["ConfigMap/a:1"]],
    ["a template that was not rendered", "apiVersion: v1\nkind: {{ .Values.kind }}\n", ["1: the object has no kind"]],
    ["aliases that multiply", bomb, ["1: YAML: Excessive alias count indicates a resource exhaustion attack"]],
    ["an alias of something large, often", wide, ["1: the object is larger than 3 MiB"]],
    [
      "anchors and aliases by the thousand",
      `${CONFIG}x:\n${Array.from({ length: 5_001 }, (_, i) => `- &a${i} 1\n- *a${i}\n`).join("")}`,
      ["1: the document has more than 10000 anchors and aliases"],
    ],
    [
      "as many anchors and aliases as may be",
      `${CONFIG}x:\n${Array.from({ length: 5_000 }, (_, i) => `- &a${i} 1\n- *a${i}\n`).join("")}`,
      ["ConfigMap/a:1"],
    ],
    ["an alias of nothing", "a: *b\n", ["1: YAML: Unresolved alias (the anchor must be set before the alias)"]],
    ["depth without end", "[".repeat(20_000), ["1: the document is nested too deeply"]],
    ["no object", "hello\n", ["1: the document is no object"]],
    ["no name", "apiVersion: v1\nkind: Pod\nmetadata: {}\n", ["1: the object has no metadata.name"]],
    ["no metadata", "apiVersion: v1\nkind: Pod\n", ["1: the object has no metadata.name"]],
    ["a number for a name", "apiVersion: v1\nkind: Pod\nmetadata: {name: 7}\n", ["1: metadata.name is no text: put it in quotes"]],
    ["no kind", "---\napiVersion: v1\n", ["2: the object has no kind"]],
    ["no apiVersion", "kind: Pod\n", ["1: the object has no apiVersion"]],
    [
      "generateName",
      "apiVersion: v1\nkind: Pod\nmetadata: {generateName: a-}\n",
      ["1: an object with generateName cannot be applied again: give it a name"],
    ],
    ["a number that would change", `${CONFIG}x: 9007199254740993\n`, ["5: a number is too large to be kept exactly"]],
  ];
  test.each(cases)("%s", (_title, text, expected) => {
    expect(seen(text)).toEqual(expected);
  });
});

test("values are those that kubectl reads: octal modes, on and off, ports that are no times, dates that are texts", () => {
  const { manifests } = read(
    `${CONFIG}x: {mode: 0644, on: off, port: 22:30, day: 2001-12-14, null: ~, merged: &m {a: 1}}\nz: {<<: {a: 1}, b: 2}\n`,
  );
  expect(manifests[0]?.object).toMatchObject({ x: { mode: 420, true: false, port: "22:30", day: "2001-12-14" }, z: { a: 1, b: 2 } });
});

test("what the file says is not in an error: it may be the value of a Secret", () => {
  const broken = [
    'a: b\n"canary"\n',
    "a: | canary\n",
    "a: !canary b\n x",
    "'canary' \"canary\"\n",
    "a: *canary\n",
    "{a: canary, a: canary",
    "%canary\n---\na",
  ];
  for (const text of broken) expect(JSON.stringify(read(text).errors)).not.toContain("canary");
});

test("of a hundred thousand keys in one map, the one that is there already is found", () => {
  const keys = Array.from({ length: 100_000 }, (_, index) => `  k${index}: ""\n`).join("");
  expect(seen(`${CONFIG}data:\n${keys}  k7: ""\n`)).toEqual(["100006: a key stands twice in one map"]);
});
