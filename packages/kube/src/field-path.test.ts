import { expect, test } from "vitest";

import { fieldPath, itemNames, itemPath, splitFieldPath } from "./field-path.ts";

test("fields are joined by dots, and names that have some stand in brackets", () => {
  expect(fieldPath(fieldPath("", "spec"), "replicas")).toBe("spec.replicas");
  expect(fieldPath("metadata.labels", "app.kubernetes.io/name")).toBe("metadata.labels[app.kubernetes.io/name]");
  expect(itemPath("spec.containers", "web")).toBe("spec.containers[web]");
});

test("items are called by the first of their fields that every one has and no two alike, else by their place", () => {
  expect(itemNames([{ name: "a" }, { name: "b" }])).toEqual({ by: "name", names: ["a", "b"] });
  expect(itemNames([{ type: "Ready" }, { type: "Available" }])).toEqual({ by: "type", names: ["Ready", "Available"] });
  expect(itemNames([{ containerPort: 80 }, { containerPort: 443 }]).names).toEqual(["80", "443"]);
  expect(itemNames([{ name: "a" }, { name: "a" }])).toEqual({ by: "", names: ["0", "1"] });
  expect(itemNames([{ name: "a" }, {}]).by).toBe("");
  expect(itemNames(["a", "b"]).names).toEqual(["0", "1"]);
});

const NAMES = ["spec", "app.kubernetes.io/name", "a]b", "a[0]", '"', "\\", '\\"]', "with blanks", "é", ".", "-"];

test("a path falls apart into the names that it was made of", () => {
  for (const first of NAMES) {
    for (const second of NAMES) {
      const path = itemPath(fieldPath(fieldPath("", first), second), first);
      expect(splitFieldPath(`${path}.end`)).toEqual([first, second, first, "end"]);
    }
  }
});
