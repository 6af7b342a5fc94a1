import { expect, test } from "vitest";

import { manifestAt } from "./manifests-in.ts";

const map = (name: string, more = ""): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${more}`;
const key = (name: string, namespace = "shop") => ({ group: "", kind: "ConfigMap", namespace, name });

test.each([
  ["that is the only one", map("a"), "ConfigMap/a:1"],
  ["after a comment", `# c\n\n${map("a")}`, "ConfigMap/a:3"],
  ["of several", `${map("a")}---\n# c\n${map("b")}--- # next\n${map("c")}`, "ConfigMap/b:7"],
  ["that is the last", `---\n${map("a")}---\n${map("b")}`, "ConfigMap/b:7"],
  ["beside one that cannot be read", `a: [\n---\n${map("a")}---\n}`, "ConfigMap/a:3"],
  [
    "that is an item of a list",
    `kind: List\napiVersion: v1\nitems:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n`,
    "ConfigMap/a:4",
  ],
  ["on the line of its marker", `--- {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n---\n${map("b")}`, "ConfigMap/a:1"],
  ["with Windows' line ends", `---\r\n${map("a").replaceAll("\n", "\r\n")}---\r\n${map("b")}`, "ConfigMap/a:2"],
  ["with the namespace that is requested", map("a", "  namespace: shop\n"), "ConfigMap/a:1"],
])("finds one %s", (_title, text, expected) => {
  const [, name = "", line] = /\/(\w+):(\d+)/.exec(expected) ?? [];
  const found = manifestAt(text, { line: Number(line), key: key(name) });
  expect(`${found?.object.kind}/${found?.object.metadata.name}:${found?.line}`).toBe(expected);
});

test("finds one wherever it is when its line is not known", () => {
  expect(manifestAt(`${map("a")}---\n${map("b")}`, { line: 0, key: key("b") })?.line).toBe(6);
});

test.each([
  ["a line behind the end", map("a"), { line: 100, key: key("a") }],
  ["a line within it", map("a"), { line: 2, key: key("a") }],
  ["another object at the line", map("a"), { line: 1, key: key("b") }],
  ["another namespace", map("a", "  namespace: other\n"), { line: 1, key: key("a") }],
  ["another group", map("a"), { line: 1, key: { ...key("a"), group: "apps" } }],
  ["what cannot be read", "a: [\n", { line: 1, key: key("a") }],
  ["nothing", "", { line: 1, key: key("a") }],
])("finds nothing for %s", (_title, text, at) => {
  expect(manifestAt(text, at)).toBeUndefined();
});
