import { describe, expect, test } from "vitest";

import { parseArgoCustomizations } from "./argo-customizations.ts";
import { RuleIndex, globMatches } from "./rule-index.ts";

/** Scripts of an argocd-cm with this data. */
function read(data: unknown) {
  const metadata = { namespace: "argocd", name: "argocd-cm" };
  const set = parseArgoCustomizations({ apiVersion: "v1", kind: "ConfigMap", metadata, data });
  const index = new RuleIndex(new Map([["one", set]]));
  return { ...set, lookup: (group: string, kind: string) => index.find({ group, version: "v1", kind })?.text };
}

describe("parseArgoCustomizations", () => {
  test("reads keys of their own, also for core kinds", () => {
    const argo = read({
      "resource.customizations.health.cert.example.com_Certificate": "return 1",
      "resource.customizations.health.PersistentVolumeClaim": "return 2",
      "resource.customizations.actions.apps_Deployment": "return 3",
    });
    expect(argo.lookup("cert.example.com", "Certificate")).toBe("return 1");
    expect(argo.lookup("", "PersistentVolumeClaim")).toBe("return 2");
    expect(argo.lookup("apps", "Deployment")).toBeUndefined();
    expect(argo.problems).toEqual([]);
  });

  test("reads the older map and ignores what is not health", () => {
    const map = "example.com/Widget:\n  health.lua: |\n    return 1\nService:\n  health.lua: return 2\napps/Deployment:\n  actions: x\n";
    const argo = read({ "resource.customizations": map });
    expect(argo.lookup("example.com", "Widget")).toBe("return 1\n");
    expect(argo.lookup("", "Service")).toBe("return 2");
    expect(argo.lookup("apps", "Deployment")).toBeUndefined();
  });

  test("exact wins over wildcard, the longer wildcard over the shorter, a key of its own over the map", () => {
    const map = [
      '"*": { health.lua: everything }',
      '"*.example.com/*": { health.lua: group }',
      '"*.db.example.com/*": { health.lua: database }',
      '"a.example.com/Widget": { health.lua: exact }',
      '"b.example.com/Widget": { health.lua: old }',
    ].join("\n");
    const argo = read({ "resource.customizations": map, "resource.customizations.health.b.example.com_Widget": "new" });
    expect(argo.lookup("a.example.com", "Widget")).toBe("exact");
    expect(argo.lookup("b.example.com", "Widget")).toBe("new");
    expect(argo.lookup("a.example.com", "Gadget")).toBe("group");
    expect(argo.lookup("x.db.example.com", "Gadget")).toBe("database");
    expect(argo.lookup("apps", "Deployment")).toBe("everything");
  });

  test.each([undefined, null, 5, [], { "resource.customizations": 5 }, { "resource.customizations": "- a\n- b" }])(
    "%j has no scripts",
    (data) => {
      expect(read(data).lookup("example.com", "Widget")).toBeUndefined();
    },
  );

  test("a broken map is a problem and the keys of their own still count", () => {
    const argo = read({ "resource.customizations": "a: [", "resource.customizations.health.example.com_Widget": "return 1" });
    expect(argo.problems).toHaveLength(1);
    expect(argo.lookup("example.com", "Widget")).toBe("return 1");
  });
});

test.each([
  ["*", "", true],
  ["a*c", "abbc", true],
  ["a*c", "abbd", false],
  ["a?c", "abc", true],
  ["a?c", "ac", false],
  ["*.example.com/*", "x.example.com/Widget", true],
  ["*.example.com/*", "example.com/Widget", false],
  [`${"a*".repeat(200)}b`, "a".repeat(5000), false],
])("the pattern %.40s matches %.40s: %s", (pattern, text, matches) => {
  expect(globMatches(pattern, text)).toBe(matches);
});
