import { describe, expect, test } from "vitest";

import { fieldLine } from "./field-lines.ts";
import { manifestsIn, type ManifestText } from "./manifests-in.ts";

function manifestsOf(text: string): readonly ManifestText[] {
  return [...manifestsIn(Buffer.from(text))].filter((each) => "object" in each);
}

describe("the line of a field", () => {
  const text = `# first\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec:\n      containers:\n      - name: web\n        image: a\n      - name: side\n        ports:\n        - containerPort: 80\n`;
  test.each([
    ["spec.template.spec.containers[0].image", 11],
    ['.spec.template.spec.containers[name="side"].ports[containerPort=80].containerPort', 14],
    ["spec.template.spec.containers[1].image", 12],
    ["spec.replicas", 6],
    ["nonsense[[", 3],
    ["", 3],
  ])("%s", (path, line) => {
    const manifests = manifestsOf(text);
    expect(manifests.map((manifest) => fieldLine(manifest, path))).toEqual([line]);
  });

  test.each([
    ["an item of a list", `kind: List\napiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n`, 7],
    ["an item that is indented", `kind: List\nitems:\n  -   apiVersion: v1\n      kind: Pod\n      metadata:\n        name: p\n`, 6],
    ["an item below its dash", `kind: List\nitems:\n-\n  apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n`, 7],
    ["an item with an anchor", `kind: List\nitems:\n- &a\n  apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n`, 7],
    ["an item of JSON", `{"kind": "List", "items": [{"apiVersion": "v1",\n"kind": "Pod", "metadata":\n\t{"name": "p"}}]}`, 3],
    ["an item after others", `kind: List\nitems:\n- {a: {b: 1}}\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n`, 7],
    ["a document after others", `a: 1\n--- # c\n# d\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n`, 7],
    ["a document on the line of its marker", `--- {apiVersion: v1, kind: Pod,\n metadata: {\n name: p}}\n`, 3],
    ["a document with Windows' line ends", `---\r\napiVersion: v1\r\nkind: Pod\r\nmetadata:\r\n  name: p\r\n`, 5],
  ])("of %s", (_title, text, line) => {
    const manifests = manifestsOf(text);
    expect(manifests.map((manifest) => fieldLine(manifest, "metadata.name"))).toEqual([line]);
  });

  test("of each of two thousand items of a list", () => {
    const items = Array.from({ length: 2_000 }, (_, index) => `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p${index}\n`);
    const manifests = manifestsOf(`kind: List\nitems:\n${items.join("")}`);
    expect(manifests.map((manifest) => fieldLine(manifest, "metadata.name"))).toEqual(items.map((_, index) => 6 + index * 4));
  });
});
