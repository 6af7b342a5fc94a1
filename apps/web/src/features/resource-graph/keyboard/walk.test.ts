import { expect, test } from "vitest";
import { COMFORTABLE } from "@binnacle/presentation/drawing/geometry";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import { application, byId } from "@binnacle/presentation/layout/testing";
import { readingOrder, walk } from "./walk.ts";

function picture(): Parameters<typeof walk>[0] {
  const { cards, edges } = new GraphEngine().answer({ ...application("web", 3), tidy: true });
  return { cards: new Map(cards.map((placed) => [placed.card.id, placed])), edges: byId(edges), density: COMFORTABLE };
}

test("right and left walk along edges, to the nearest in height", () => {
  expect(walk(picture(), "Deployment/web", "right")).toBe("ReplicaSet/web-1");
  expect(walk(picture(), "ReplicaSet/web-1", "right")).toBe("Pod/web-1-0");
  expect(walk(picture(), "Pod/web-1-2", "left")).toBe("ReplicaSet/web-1");
});

test("up and down walk in the column", () => {
  expect(walk(picture(), "Pod/web-1-0", "down")).toBe("Pod/web-1-1");
  expect(walk(picture(), "Pod/web-1-1", "up")).toBe("Pod/web-1-0");
  expect(walk(picture(), "Pod/web-1-0", "up")).toBeUndefined();
});

test("a card that has left leads to the first one", () => {
  expect(walk(picture(), "Pod/gone", "down")).toBe(readingOrder(picture())[0]);
});

test("reads row by row, left to right", () => {
  expect(readingOrder(picture()).slice(0, 4)).toEqual(["Service/web", "Deployment/web", "ReplicaSet/web-1", "Pod/web-1-0"]);
});
