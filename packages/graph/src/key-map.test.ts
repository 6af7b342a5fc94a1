import type { ObjectKey } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import { KeyMap } from "./token-table.ts";

const part = fc.constantFrom("", "a", "b");
const key: fc.Arbitrary<ObjectKey> = fc.record({ group: part, kind: part, namespace: part, name: part });

test("it holds what a map by all four parts holds", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ key, isSet: fc.boolean(), value: fc.nat(9) }), { maxLength: 60 }), (steps) => {
      const [map, plain] = [new KeyMap<number>(), new Map<string, number>()];
      for (const step of steps) {
        const text = JSON.stringify(step.key);
        if (step.isSet) {
          map.set(step.key, step.value);
          plain.set(text, step.value);
        } else {
          map.delete(step.key);
          plain.delete(text);
        }
        for (const { key: each } of steps) expect(map.get(each)).toBe(plain.get(JSON.stringify(each)));
      }
    }),
  );
});

test("keys that would be one text are two", () => {
  const map = new KeyMap<string>();
  map.set({ group: "", kind: "a", namespace: "b/c", name: "d" }, "first");
  map.set({ group: "", kind: "a", namespace: "b", name: "c/d" }, "second");
  expect(map.get({ group: "", kind: "a", namespace: "b/c", name: "d" })).toBe("first");
});
