import { EnvironmentSettingsSchema } from "@binnacle/proto/dashboard-settings";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import type { EnvironmentEntry } from "../team-file/team-file-schema.ts";
import { effectiveScope, isSameScope, planScope, readSettings, scopeOfValues, toSettings, type ScopeValues } from "./settings-values.ts";

const NONE = { own: undefined, pattern: undefined };
const ONE: ScopeValues = { namespaces: ["shop"], labels: undefined, inventoryId: undefined };

function read(settings: object): ReturnType<typeof readSettings> {
  return readSettings(create(EnvironmentSettingsSchema, settings));
}

describe("what has to be written is the least that leads to what is wanted", () => {
  test.each<[string, ScopeValues, Parameters<typeof planScope>[1], string, ReturnType<typeof planScope>]>([
    ["nothing, where it is so already", ONE, NONE, "shop", {}],
    ["the namespace of the main application", ONE, NONE, "other", { namespace: "shop" }],
    ["all namespaces", { ...ONE, namespaces: [] }, NONE, "other", { namespace: "" }],
    ["several namespaces", { ...ONE, namespaces: ["a", "b"] }, NONE, "a", { entry: { to: { namespaces: ["a", "b"] } } }],
    ["labels alone", { ...ONE, labels: { app: "web" } }, NONE, "shop", { entry: { to: { labels: { app: "web" } } } }],
    ["an entry that is not needed any more", ONE, { ...NONE, own: { namespaces: ["a", "b"] } }, "shop", { entry: { to: undefined } }],
    ["both stores", ONE, { ...NONE, own: { namespaces: ["a", "b"] } }, "a", { entry: { to: undefined }, namespace: "shop" }],
    [
      "an entry of its own below a pattern",
      ONE,
      { ...NONE, pattern: { namespaces: ["a", "b"] } },
      "a",
      { entry: { to: { namespaces: ["shop"] } } },
    ],
    [
      "all namespaces below a pattern that names some",
      { ...ONE, namespaces: [] },
      { ...NONE, pattern: { namespaces: ["a"] } },
      "",
      undefined,
    ],
  ])("%s", (...[, wanted, entries, namespace, plan]) => {
    expect(planScope(wanted, entries, namespace)).toEqual(plan);
  });

  const namespace = fc.constantFrom("a", "b", "c");
  const entry: fc.Arbitrary<EnvironmentEntry> = fc.record(
    {
      namespaces: fc.uniqueArray(namespace, { minLength: 1, maxLength: 3 }),
      labels: fc.constantFrom({ app: "web" }, { app: ["web", "api"] }),
      inventoryId: fc.constant("inv"),
    },
    { requiredKeys: [] },
  );
  const some = entry.filter((each) => Object.keys(each).length > 0);
  const stores = fc.record({
    own: fc.option(some, { nil: undefined }),
    pattern: fc.option(some, { nil: undefined }),
    namespace: fc.constantFrom("", "a", "b"),
  });

  test("whatever the stores have, the plan leads to it, and it is only missing for all namespaces below a pattern", () => {
    fc.assert(
      fc.property(stores, entry, ({ namespace: present, ...entries }, { namespaces = [], labels, inventoryId }) => {
        const wanted: ScopeValues = { namespaces, labels, inventoryId };
        const plan = planScope(wanted, entries, present);
        const own = plan?.entry === undefined ? entries.own : plan.entry.to;
        const effective = effectiveScope({ ...entries, own }, plan?.namespace ?? present);
        const isMissing = plan === undefined && namespaces.length === 0 && entries.pattern !== undefined;
        expect(isMissing || (plan !== undefined && isSameScope(effective, wanted))).toBe(true);
      }),
    );
  });
});

describe("settings of a page", () => {
  test("read back as they were shown", () => {
    const settings = {
      agentId: "3",
      namespaces: ["a", "b"],
      selector: "app in (api, web),tier=x",
      inventoryId: "inv",
      fluxResourcePath: "",
    };
    const values = read(settings);
    if ("problem" in values) throw new Error("not valid");
    expect(toSettings(values)).toMatchObject(settings);
  });

  test("equality, a set and an empty value are labels", () => {
    expect(read({ selector: "a=b, c==d,e in (f,g) , h=" })).toMatchObject({ labels: { a: "b", c: "d", e: ["f", "g"], h: "" } });
  });

  test.each(["a", "!a", "a!=b", "a notin (b)", "a=b,a=c", "a in (", "=b", "a=b c", "__proto__"])(
    "T71: the selector %s is not valid",
    (selector) => {
      expect(read({ selector })).toHaveProperty("problem");
    },
  );

  test("T71: a key that names the prototype is a label or nothing, and no property of all objects", () => {
    expect(read({ selector: "__proto__=x" })).toHaveProperty("problem");
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test.each<[string, object]>([
    ["an agent that is no number", { agentId: "1; drop" }],
    ["more namespaces than are read", { namespaces: Array.from({ length: 21 }, (_, index) => `n${index}`) }],
    ["a namespace that is a pattern", { namespaces: ["review-*"] }],
    ["a Flux resource of another kind", { fluxResourcePath: "v1/namespaces/a/secrets/b" }],
    ["a Flux resource that leads elsewhere", { fluxResourcePath: "kustomize.toolkit.fluxcd.io/v1/namespaces/../kustomizations/b/c" }],
  ])("T71: %s is not valid", (_, settings) => {
    expect(read(settings)).toHaveProperty("problem");
  });

  test("labels and inventory narrow what is shown of the namespaces", () => {
    const scope = scopeOfValues({ namespaces: ["a"], labels: { app: "web" }, inventoryId: "inv" });
    expect(scope).toMatchObject({
      namespaces: ["a"],
      inventory: { name: "inv" },
      labels: { requirements: [{ key: "app", values: ["web"] }] },
    });
  });
});
