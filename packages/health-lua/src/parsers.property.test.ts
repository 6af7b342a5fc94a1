import type { KubeObject } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import { parseArgoCustomizations } from "./argo-customizations.ts";
import { createCelEngine } from "./cel-engine.ts";
import { evaluateCelRule } from "./cel-rule.ts";
import { parseFluxHealthChecks } from "./flux-health-checks.ts";
import { RuleIndex } from "./rule-index.ts";
import { parseRulesFile } from "./rules-file.ts";

const name = fc.constantFrom(
  "healthCheckExprs",
  "resourceCustomizations",
  "apiVersion",
  "kind",
  "current",
  "health.lua",
  "*",
  "a.b/C",
  "spec",
  "data",
);
const keyed = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    fc.jsonValue({ maxDepth: 1 }),
    name,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4 }),
  ),
})).value;

test("parsers read anything without throwing, and what they read can be evaluated", { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(keyed, keyed, (data, spec) => {
      // Objects from outside have any shape.
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: data, data, spec } as unknown as KubeObject;
      for (const set of [parseArgoCustomizations(object), parseFluxHealthChecks(object), parseRulesFile(JSON.stringify(data), "f")]) {
        const index = new RuleIndex(new Map([["one", set]]));
        for (const rule of set.rules) {
          const [group = "", kind = ""] = rule.pattern.split("/");
          expect(index.find({ group, version: "v1", kind })).toBeDefined();
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a file of any text is read without throwing", { timeout: 60_000 }, () => {
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom("---", "healthCheckExprs:", "  - kind: A", "kind: ConfigMap", "data: &a", "  b: *a", "? [", "- |"),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      expect(parseRulesFile(lines.join("\n"), "f").origin).toBe("file");
    }),
    { numRuns: 300 },
  );
});

test("expressions of any shape over any object give an answer", { timeout: 60_000 }, () => {
  const engine = createCelEngine();
  const part = fc.constantFrom(
    "status",
    ".a",
    ".?b",
    "[0]",
    "has(",
    ")",
    "(",
    "==",
    "&&",
    "||",
    "!",
    "'x'",
    "1",
    "1.5",
    "+",
    ".exists(e, ",
    "e",
    "?",
    ":",
    "[",
    "]",
    "{",
    "}",
    ",",
    "null",
    "in",
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 10 }), fc.jsonValue(), (parts, status) => {
      const { tag } = evaluateCelRule(engine, { current: parts.join(" ") }, JSON.stringify({ status }));
      expect(["ok", "error", "missing"]).toContain(tag);
    }),
    { numRuns: 1000 },
  );
});
