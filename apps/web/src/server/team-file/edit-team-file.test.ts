import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { editTeamFile, entryYaml } from "./edit-team-file.ts";
import { parseTeamFile } from "./parse-team-file.ts";
import type { EnvironmentEntry } from "./team-file-schema.ts";

const FILE = `# What the team looks at
hidden: [ConfigMap]   # noise

environments:
  # the shop
  production:
    namespaces:   # two
      - shop
      - shop-jobs
    labels: {app: web}  # only the web
    owner: "team a"
  staging: {labels: {app: web}}
  "007":
    inventoryId: inv-7
views:
  worst: {query: "view=list"}
`;

function edit(text: string | undefined, name: string, entry: EnvironmentEntry | undefined): string {
  const edited = editTeamFile(text, name, entry);
  if (edited.kind !== "edited") throw new Error(edited.kind);
  return edited.text;
}

describe("an entry of the file is edited in place", () => {
  test("a file that is not there yet gets the entry alone", () => {
    expect(edit(undefined, "a/b", { namespaces: ["x", "y"] })).toBe("environments:\n  a/b:\n    namespaces: [x, y]\n");
  });

  test("a changed key is written, and the comments, unknown keys and other entries stay", () => {
    expect(edit(FILE, "production", { namespaces: ["shop"], labels: { app: "web" } })).toBe(
      FILE.replace("   # two\n      - shop\n      - shop-jobs", " [shop]"),
    );
  });

  test("a removed key takes its line along", () => {
    expect(edit(FILE, "production", { namespaces: ["shop", "shop-jobs"] })).toBe(
      FILE.replace("    labels: {app: web}  # only the web\n", ""),
    );
  });

  test("an added key is the last of its entry", () => {
    expect(edit(FILE, "007", { inventoryId: "inv-7", namespaces: ["one"] })).toBe(
      FILE.replace("    inventoryId: inv-7\n", "    inventoryId: inv-7\n    namespaces: [one]\n"),
    );
  });

  test("what else stands in an entry within braces stays in it", () => {
    expect(edit("environments: {a: {owner: me, inventoryId: x}}\n", "a", { namespaces: ["n"] })).toBe(
      "environments: {a: {owner: me, namespaces: [n]}}\n",
    );
  });

  test("an entry within braces is written anew", () => {
    expect(edit(FILE, "staging", { labels: { app: ["a", "b"] } })).toBe(
      FILE.replace("staging: {labels: {app: web}}", "staging: {labels: {app: [a, b]}}"),
    );
  });

  test("a new entry follows the last one, with quotes where YAML needs them", () => {
    expect(edit(FILE, "review/1", { namespaces: ["123"] })).toBe(
      FILE.replace("    inventoryId: inv-7\n", '    inventoryId: inv-7\n  review/1:\n    namespaces: ["123"]\n'),
    );
  });

  test("an entry that is removed takes its lines along", () => {
    expect(edit(FILE, "staging", undefined)).toBe(FILE.replace("  staging: {labels: {app: web}}\n", ""));
  });

  test("a file of other sections gets the section at its end, also without a line end", () => {
    expect(edit("hidden: [Pod]", "p", { inventoryId: "i" })).toBe("hidden: [Pod]\nenvironments:\n  p:\n    inventoryId: i\n");
    expect(edit("environments:\nhidden: [Pod]\n", "p", { inventoryId: "i" })).toBe(
      "environments:\n  p:\n    inventoryId: i\nhidden: [Pod]\n",
    );
  });

  test("line ends of Windows stay", () => {
    expect(edit("environments:\r\n  a:\r\n    inventoryId: x\r\n", "b", { inventoryId: "y" })).toBe(
      "environments:\r\n  a:\r\n    inventoryId: x\r\n  b:\r\n    inventoryId: y\r\n",
    );
  });

  test.each([
    ["no YAML", "environments: ["],
    ["an alias where all entries are", "x: &a {production: {inventoryId: i}}\nenvironments: *a\n"],
    ["a list", "- environments\n"],
    ["braces around everything", "{environments: {}}\n"],
    ["two documents", "a: 1\n---\nb: 2\n"],
  ])("T71: %s is not edited", (_, text) => {
    expect(editTeamFile(text, "production", { inventoryId: "i" })).toEqual({ kind: "not-editable" });
  });

  test("a file that would be too long is not edited", () => {
    const long = `hidden: []\n${`#${"x".repeat(1_000)}\n`.repeat(65)}${"#".repeat(400)}\n`;
    expect(editTeamFile(long, "p", { inventoryId: "i" })).toEqual({ kind: "too-large" });
  });
});

const name = fc.stringMatching(/^[a-z0-9][a-z0-9/_ .-]{0,12}[a-z0-9]$/);
const namespace = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,8}[a-z0-9])?$/);
const entry: fc.Arbitrary<EnvironmentEntry> = fc
  .record(
    {
      namespaces: fc.uniqueArray(namespace, { minLength: 1, maxLength: 3 }),
      labels: fc.dictionary(fc.constantFrom("app", "app.kubernetes.io/name", "true"), fc.constantFrom("web", "1.0", ""), { minKeys: 1 }),
      inventoryId: fc.string({ minLength: 1, maxLength: 20 }).filter((text) => /^[\x20-\x7e]+$/.test(text)),
    },
    { requiredKeys: [] },
  )
  .filter((each) => Object.keys(each).length > 0);
const comment = fc.constantFrom("", "  # a comment: [with] {signs}");
const blank = fc.constantFrom("", "\n", "# on its own line\n");

test("the bytes of all other entries and sections stay, whatever they are, and the file says what was meant", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, entry, comment, blank), { minLength: 1, maxLength: 4, selector: ([each]) => each }),
      fc.record({ index: fc.nat(4), changed: entry, isRemoved: fc.boolean() }),
      (entries, { index, changed, isRemoved }) => {
        const parts = entries.map(([each, value, behind, before]) => {
          const [, ...body] = entryYaml(each, value).split("\n");
          return `${before.replace("#", "  #")}${body.join("\n").replace("\n", `${behind}\n`)}`;
        });
        const head = "hidden: [Pod] # first\nenvironments: # all of them\n";
        const tail = "weights:\n  ConfigMap: ignore   # last\n";
        const text = `${head}${parts.join("")}${tail}`;
        const target = entries[index]?.[0] ?? "new";
        const edited = editTeamFile(text, target, isRemoved ? undefined : changed);
        if (edited.kind !== "edited") throw new Error(`${edited.kind}\n${text}`);
        expect(parts.filter((part, at) => at !== index && !edited.text.includes(part))).toEqual([]);
        expect(edited.text.startsWith(head)).toBe(true);
        expect(edited.text.endsWith(tail)).toBe(true);
        const found = parseTeamFile(edited.text);
        expect(found.problems).toEqual([]);
        const expected = new Map(entries.map(([each, value]) => [each, value]));
        if (isRemoved) expected.delete(target);
        else expected.set(target, changed);
        expect(new Map(found.environments.map((each) => [each.name, { ...each.entry }]))).toEqual(expected);
      },
    ),
  );
});
