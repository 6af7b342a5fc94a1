import { describe, expect, test } from "vitest";

import { parseFluxHealthChecks } from "./flux-health-checks.ts";
import { parseRulesFile } from "./rules-file.ts";

const read = (text: string) => {
  const { rules, problems } = parseRulesFile(text, "/etc/rules.yaml");
  return { rules: rules.map(({ engine, source, pattern }) => [engine, source, pattern]), problems };
};

describe("parseRulesFile", () => {
  test("reads an argocd-cm, a Kustomization and our own document, with lines", () => {
    const text = `apiVersion: v1
kind: ConfigMap
metadata: { name: argocd-cm }
data:
  resource.customizations.health.example.com_Widget: |
    return nil
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: apps }
spec:
  healthCheckExprs:
    - { apiVersion: example.com/v1, kind: Gadget, current: "true" }
---
healthCheckExprs:
  - apiVersion: v1
    kind: Service
    current: "true"
resourceCustomizations:
  "*.example.com/*":
    health.lua: return nil
---
# nothing
`;
    expect(read(text)).toEqual({
      rules: [
        ["cel", "file /etc/rules.yaml, line 16", "/Service"],
        ["lua", "file /etc/rules.yaml, line 20, *.example.com/*", "*.example.com/*"],
        ["cel", "file /etc/rules.yaml, line 13", "example.com/Gadget"],
        ["lua", "file /etc/rules.yaml, line 5, resource.customizations.health.example.com_Widget", "example.com/Widget"],
      ],
      problems: [],
    });
  });

  test("reports where something is wrong and reads the rest", () => {
    const text = `a: [1
---
healthCheckExprs: { kind: Widget }
---
- list
---
healthcheckexprs: []
---
healthCheckExprs:
  - kind: Widget
  - { apiVersion: example.com/v1, kind: Widget, current: "a ==" }
  - { apiVersion: example.com/v1, kind: Widget, current: "true", failed: 5 }
---
kind: ConfigMap
data:
  resource.customizations: "a: ["
---
a: &a [x]
b: *nowhere
`;
    const { rules, problems } = read(text);
    expect(rules).toHaveLength(2);
    const at = (line: number, rest: string) => expect.stringContaining(`file /etc/rules.yaml, line ${line}${rest}`);
    expect(problems).toEqual([
      at(2, ": this is not YAML: "),
      at(3, ": healthCheckExprs is not a list"),
      at(5, ": expected a ConfigMap, a Kustomization, healthCheckExprs or resourceCustomizations"),
      at(7, ": healthcheckexprs is none of healthCheckExprs, resourceCustomizations"),
      at(10, ": a health check needs apiVersion and kind"),
      at(16, ", resource.customizations: this is not YAML: "),
      at(18, ": this is not YAML: "),
      at(11, ": current is not an expression: "),
      at(12, ": failed is not an expression: it is not text"),
    ]);
  });

  test.each(["", "---\n---\n", "\u0000", "%", "a: b: c", "[", "*x", "<<: *x", "&a [*a]", "? {[}: 1", "5", "[".repeat(5000)])(
    "%j is no reason to throw",
    (text) => {
      expect(parseRulesFile(text, "f").rules).toEqual([]);
    },
  );

  test("a file of aliases that multiply is a problem", () => {
    const lines = ["a0: &a0 [x, x]", ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)];
    expect(read(lines.join("\n")).problems).toEqual([expect.stringContaining("Excessive alias count")]);
  });

  test("a file longer than 4 MiB is a problem", () => {
    expect(read(" ".repeat(5_000_000)).problems).toEqual(["file /etc/rules.yaml: it is longer than 4 MiB"]);
  });

  test("a name longer than 512 characters is a problem, and problems are counted after a hundred", () => {
    expect(read(`resourceCustomizations: { "${"*".repeat(600)}": { health.lua: x } }`)).toEqual({
      rules: [],
      problems: [expect.stringMatching(/the name of the kind is longer than 512 characters$/)],
    });
    const { problems } = read(`healthCheckExprs: [${"{},".repeat(150)}]`);
    expect([problems.length, problems.at(-1)]).toEqual([101, "and 50 more problems"]);
  });
});

describe("parseFluxHealthChecks", () => {
  const kustomization = (spec: unknown) => ({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { namespace: "flux-system", name: "apps" },
    spec,
  });

  test.each([undefined, null, 5, {}, { healthCheckExprs: 5 }, { healthCheckExprs: {} }])("the spec %j has no rules", (spec) => {
    expect(parseFluxHealthChecks(kustomization(spec))).toEqual({ origin: "flux", rules: [], problems: [] });
  });

  test("names the Kustomization, and the place when there are several", () => {
    const check = { apiVersion: "example.com/v1", kind: "Widget", current: "true" };
    const sources = (...checks: readonly object[]) =>
      parseFluxHealthChecks(kustomization({ healthCheckExprs: checks })).rules.map(({ source }) => source);
    expect(sources(check)).toEqual(["Kustomization flux-system/apps"]);
    expect(sources(check, check)).toEqual(["Kustomization flux-system/apps, number 1", "Kustomization flux-system/apps, number 2"]);
  });

  test("the same expressions have the same hash, whatever their order", () => {
    const [a, b, c] = parseFluxHealthChecks(
      kustomization({
        healthCheckExprs: [
          { apiVersion: "example.com/v1", kind: "A", current: "true", failed: "false" },
          { apiVersion: "example.com/v2", kind: "B", failed: "false", current: "true" },
          { apiVersion: "example.com/v2", kind: "B", failed: "true", current: "true" },
        ],
      }),
    ).rules;
    expect(a?.hash).toBe(b?.hash);
    expect(a?.hash).not.toBe(c?.hash);
  });

  test.each(["x", 5, null, []])("the entry %j is a problem", (entry) => {
    expect(parseFluxHealthChecks(kustomization({ healthCheckExprs: [entry] })).problems).toEqual([
      "Kustomization flux-system/apps: a health check needs apiVersion and kind",
    ]);
  });
});
