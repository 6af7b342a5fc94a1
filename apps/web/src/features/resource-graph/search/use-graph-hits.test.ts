import { expect, test } from "vitest";
import { madeNode } from "../../live/made-view.ts";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import { application } from "@binnacle/presentation/layout/testing";
import { cardOf, hitsOf } from "./use-graph-hits.ts";

/** An application of so many pods: more than a few are folded. */
function drawn(pods: number) {
  const input = application("web", pods);
  const { cards } = new GraphEngine().answer({ ...input, tidy: true });
  const nodes = (input.nodes ?? []).map(({ id, ownerId, kind, namespace, name }) =>
    madeNode({ id, ownerId, ref: { kind, namespace, name }, ...(kind === "Deployment" ? { images: ["redis:7"] } : {}) }),
  );
  return {
    cards: new Map(cards.map((placed) => [placed.card.id, placed])),
    nodes: new Map(nodes.map((node) => [node.id, node])),
  };
}

test("US10: what is found is what the list finds, in reading order, by name, kind, reason and image", () => {
  const { cards, nodes } = drawn(3);
  expect(hitsOf(cards, nodes, "").length).toBe(0);
  expect(hitsOf(cards, nodes, "nothing at all").length).toBe(0);
  expect(hitsOf(cards, nodes, " WEB ").length).toBe(nodes.size);
  expect(hitsOf(cards, nodes, "redis").map(({ id }) => id)).toEqual(["Deployment/web"]);
  expect(hitsOf(cards, nodes, "pod").map(({ cardId }) => cardId)).toEqual(["Pod/web-1-0", "Pod/web-1-1", "Pod/web-1-2"]);
});

test("US10: what is folded is found too, each once, and leads to its fold", () => {
  const { cards, nodes } = drawn(12);
  const hits = hitsOf(cards, nodes, "web-1-11");
  expect(hits.map(({ id }) => id)).toEqual(["Pod/web-1-11"]);
  expect(cards.get(hits[0]?.cardId ?? "")?.card.type).toBe("fold");
  expect(cardOf(cards, nodes, "Pod/web-1-11")).toBe(hits[0]?.cardId);
  expect(cardOf(cards, nodes, "Deployment/web")).toBe("Deployment/web");
  expect(cardOf(cards, nodes, "gone")).toBeUndefined();
});

test("what a filter hides is not found, and no ring of owners is gone round", () => {
  const { cards, nodes } = drawn(3);
  cards.delete("Pod/web-1-0");
  expect(hitsOf(cards, nodes, "web-1-0")).toEqual([]);
  const ring = new Map(["a", "b"].map((id) => [id, madeNode({ id, ownerId: id === "a" ? "b" : "a", ref: { kind: "Pod", name: id } })]));
  expect(hitsOf(cards, ring, "pod")).toEqual([]);
});
