import { expect, test } from "vitest";

import { manifestAt } from "./manifest-at.ts";

const map = (name: string, more = ""): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;
const key = (name: string, namespace = "shop") => ({ group: "", kind: "ConfigMap", namespace, name });

test.each([
  ["the only one", map("a"), 1, "a", "ConfigMap/a:1"],
  ["after a comment", `# c\n\n${map("a")}`, 3, "a", "ConfigMap/a:3"],
  ["one of several", `${map("a")}---\n# c\n${map("b")}--- # next\n${map("c")}`, 7, "b", "ConfigMap/b:7"],
  ["the last", `---\n${map("a")}---\n${map("b")}`, 7, "b", "ConfigMap/b:7"],
  ["beside one that cannot be read", `a: [\n---\n${map("a")}---\n}`, 3, "a", "ConfigMap/a:3"],
  [
    "an item of a list",
    `kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n`,
    4,
    "a",
    "ConfigMap/a:4",
  ],
  ["on the line of its marker", `--- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n${map("b")}`, 1, "a", "ConfigMap/a:1"],
  ["with Windows' line ends", `---\r\n${map("a").replaceAll("\n", "\r\n")}---\r\n${map("b")}`, 2, "a", "ConfigMap/a:2"],
  ["wherever it is", `${map("a")}---\n${map("b")}`, 0, "b", "ConfigMap/b:6"],
  ["with the namespace that is asked for", map("a", "  namespace: shop\n"), 1, "a", "ConfigMap/a:1"],
])("finds %s", (_title, text, line, name, expected) => {
  const found = manifestAt(text, { line, key: key(name) });
  expect(`${found?.object.kind}/${found?.object.metadata.name}:${found?.line}`).toBe(expected);
});

test.each([
  ["a line behind the end", map("a"), 100, key("a")],
  ["a line within it", map("a"), 2, key("a")],
  ["another object at the line", map("a"), 1, key("b")],
  ["another namespace", map("a", "  namespace: other\n"), 1, key("a")],
  ["another group", map("a"), 1, { ...key("a"), group: "apps" }],
  ["what cannot be read", "a: [\n", 1, key("a")],
  ["nothing", "", 1, key("a")],
])("finds nothing for %s", (_title, text, line, of) => {
  expect(manifestAt(text, { line, key: of })).toBeUndefined();
});
