import { expect, test } from "vitest";
import { madeNode } from "../live/made-view.ts";
import { matches, NO_FILTERS } from "./node-filter.ts";

test.each([
  ["an Argo CD application's own object", { tool: "argocd", direct: true }, "direct"],
  ["what a controller created for it", { tool: "argocd", direct: false }, "generated"],
  ["an object of a Helm release, which names no repository", { tool: "helm", direct: true }, "foreign"],
  ["an object without a manager", undefined, "foreign"],
])("%s is shown by one filter of the manager only", (_name, manager, expected) => {
  const node = madeNode({ id: "web", ...(manager && { managedBy: { name: "shop", ...manager } }) });
  const shownBy = ["direct", "generated", "foreign"].filter((managed) =>
    matches(node, { ...NO_FILTERS, kinds: [], namespaces: [], managed }),
  );
  expect(shownBy).toEqual([expected]);
  expect(matches(node, NO_FILTERS)).toBe(true);
});
