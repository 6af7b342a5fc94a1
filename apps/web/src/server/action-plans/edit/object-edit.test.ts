import { isDeepStrictEqual } from "node:util";

import type { JsonPatchOperation } from "@binnacle/environment-view";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { applyEdits, diffObjects, pathOfEdit } from "./object-edit.ts";

const KEYS = ["name", "image", "spec", "a/b", "c~d", "__proto__", "x"];
const { value: json } = fc.letrec<{ value: unknown; map: object; named: unknown[] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, true, null, "", "a", "b"),
    tie("map"),
    tie("named"),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
  map: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  named: fc
    .uniqueArray(fc.tuple(fc.constantFrom("web", "side", "init", 1), tie("value")), { maxLength: 4, selector: ([name]) => String(name) })
    .map((items) => items.map(([name, value]) => ({ name, value }))),
}));
const object = fc.dictionary(fc.constantFrom(...KEYS), json, { maxKeys: 4, noNullPrototype: true });

describe("diffObjects and applyEdits", () => {
  test("what is applied to the object that it was found in is the edited object, by the patch too", () => {
    fc.assert(
      fc.property(object, object, (base, edited) => {
        const { content, patch, collisions } = applyEdits(base, diffObjects(base, edited));
        expect(collisions).toEqual([]);
        expect(content).toEqual(edited);
        expect(patched(base, patch)).toEqual(edited);
        // A repeated request finds everything written.
        expect(applyEdits(edited, diffObjects(base, edited)).patch).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("edits of one writer leave those of another, and the reverse takes only one's own back", () => {
    fc.assert(
      fc.property(object, object, json, (base, edited, other) => {
        const present = { ...base, other };
        const mine = { ...edited };
        const { content, collisions } = applyEdits(present, diffObjects(base, mine));
        expect(collisions).toEqual([]);
        expect(content).toEqual({ ...mine, other });
        expect(applyEdits(content, diffObjects(mine, base)).content).toEqual(present);
      }),
    );
  });

  const pod = (web: object, more: readonly object[] = []) => ({
    spec: { containers: [{ name: "web", ...web }, ...more], args: ["a", "b"] },
  });

  test("an item is found by its name, wherever it is by now", () => {
    const edits = diffObjects(pod({ image: "a:1" }), pod({ image: "a:2" }));
    expect(edits.map(pathOfEdit)).toEqual(["spec.containers[web].image"]);
    const present = { spec: { containers: [{ name: "side" }, { name: "web", image: "a:1", tty: true }], args: [] } };
    const { content, patch } = applyEdits(present, edits);
    expect(content).toEqual({ spec: { containers: [{ name: "side" }, { name: "web", image: "a:2", tty: true }], args: [] } });
    expect(patch).toEqual([
      { op: "test", path: "/spec/containers/1/image", value: "a:1" },
      { op: "replace", path: "/spec/containers/1/image", value: "a:2" },
    ]);
  });

  test("a field that another writer has changed, and an item that is gone, are collisions; nothing of them is written", () => {
    const edits = diffObjects(pod({ image: "a:1" }, [{ name: "side", tty: true }]), pod({ image: "a:2" }, [{ name: "side", tty: false }]));
    const present = pod({ image: "a:3" });
    const { content, patch, collisions } = applyEdits(present, edits);
    expect([content, patch]).toEqual([present, []]);
    expect(collisions.map(({ edit, present: value }) => [pathOfEdit(edit), value])).toEqual([
      ["spec.containers[web].image", "a:3"],
      ["spec.containers[side].tty", undefined],
    ]);
    expect(applyEdits(present, edits, { overwrites: true }).content).toEqual(pod({ image: "a:2" }));
  });

  test("a list without names is one value", () => {
    const edits = diffObjects({ args: ["a", "b"] }, { args: ["a", "c"] });
    expect(edits).toEqual([{ steps: ["args"], before: ["a", "b"], after: ["a", "c"] }]);
    expect(applyEdits({ args: ["z", "a", "b"] }, edits).collisions).toHaveLength(1);
  });
});

/** RFC 6902, for the operations that are made here. */
function patched(document: unknown, patch: readonly JsonPatchOperation[]): unknown {
  const root = structuredClone({ document });
  for (const { op, path, value } of patch) {
    const keys = ["document", ...path.split("/").slice(1)].map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = keys.pop() ?? "";
    const parent = keys.reduce<unknown>((at, key) => own(at, key), root);
    const present = own(parent, last);
    if (op === "test" && !isDeepStrictEqual(present, value)) throw new Error(`a test fails at ${path}`);
    if (op === "test") continue;
    if (Array.isArray(parent)) parent.splice(Number(last), op === "add" ? 0 : 1, ...(op === "remove" ? [] : [value]));
    else if (typeof parent !== "object" || parent === null) throw new Error(`nothing is at ${path}`);
    else if (op === "remove") Reflect.deleteProperty(parent, last);
    else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  }
  return root.document;
}

function own(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined;
}
