import { expect, test } from "vitest";
import { generatorOf } from "./own-facts.tsx";
import { madeNode } from "../live/made-view.ts";
import type { LiveNode } from "../live/live-node.ts";

function node(id: string, ownerId: string, direct?: boolean): LiveNode {
  const managedBy = direct === undefined ? {} : { managedBy: { tool: "argocd", name: "shop", direct } };
  return madeNode({ id, ownerId, ...managedBy });
}

function generator(nodes: readonly LiveNode[]): string | undefined {
  const byId = new Map(nodes.map((each) => [each.id, each]));
  const [first] = nodes;
  return first === undefined ? undefined : generatorOf(first, (id) => byId.get(id))?.id;
}

test("the nearest owner that was applied directly generated it, not one above", () => {
  expect(generator([node("pod", "rs", false), node("rs", "web", false), node("web", "app", true), node("app", "", true)])).toBe("web");
});

test("when no owner says so it is the topmost one, and none without owners in the view", () => {
  expect(generator([node("pod", "rs", false), node("rs", "web", false), node("web", "")])).toBe("web");
  expect(generator([node("pod", "rs", false)])).toBeUndefined();
});

test("owners in a circle end", () => {
  expect(generator([node("a", "b", false), node("b", "a", false)])).toBe("b");
});
