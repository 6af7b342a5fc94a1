import { expect, test } from "vitest";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import { foldGraph } from "@binnacle/presentation/layout/fold-graph";
import { application, byId, node } from "@binnacle/presentation/layout/testing";
import { areasOf } from "./areas.ts";
import {
  boundsOf,
  centredOn,
  COMFORTABLE,
  detailOf,
  firstView,
  fitView,
  namePixels,
  pointOf,
  roomOf,
  panInto,
} from "@binnacle/presentation/drawing/geometry";
import { unseenCards } from "./new-cards.tsx";
import { boxInTile, viewportTileOf } from "@binnacle/presentation/drawing/viewport-tile";

const SIZE = { width: 1440, height: 640 };

test("a small graph is shown whole, never above 100 %", () => {
  expect(firstView({ x: 0, y: 0, width: 400, height: 200 }, SIZE).zoom).toBe(1);
});

test("a large graph starts where the worst stands, large enough to be read", () => {
  const view = firstView({ x: 0, y: 0, width: 30_000, height: 20_000 }, SIZE);
  expect(detailOf(view.zoom)).toBe("near");
  expect(view.x).toBeGreaterThan(0);
});

test("fit shows everything", () => {
  const bounds = boundsOf(
    [
      { lane: 0, column: 0, row: 0 },
      { lane: 3, column: 4, row: 90 },
    ],
    COMFORTABLE,
  );
  const view = fitView(bounds, SIZE);
  expect((bounds.x + bounds.width) * view.zoom + view.x).toBeLessThanOrEqual(SIZE.width);
  expect((bounds.y + bounds.height) * view.zoom + view.y).toBeLessThanOrEqual(SIZE.height);
});

test("lanes stand beside each other without overlap", () => {
  const last = pointOf({ lane: 0, column: 4, row: 0 }, COMFORTABLE);
  const next = pointOf({ lane: 1, column: 0, row: 0 }, COMFORTABLE);
  expect(next.x).toBeGreaterThanOrEqual(last.x + COMFORTABLE.width);
});

test("what is in sight changes by tiles, not by pixels", () => {
  const at = (x: number): string => viewportTileOf({ x, y: 0, zoom: 1 }, SIZE);
  expect(at(-10)).toBe(at(-20));
  expect(at(-10)).not.toBe(at(-400));
  expect(boxInTile(at(0))({ left: 100, top: 100, right: 200, bottom: 200 })).toBe(true);
  expect(boxInTile(at(0))({ left: 9000, top: 100, right: 9200, bottom: 200 })).toBe(false);
});

test("US11: 45 resources are readable when all of them are shown on 1440 by 900, and what is not far is at every zoom", () => {
  const apps = Array.from({ length: 7 }, (_, index) => application(`app-${index}`, 2));
  const nodes = [
    ...apps.flatMap((app) => app.nodes),
    node("Ingress", "shop"),
    node("ServiceAccount", "default"),
    node("ConfigMap", "root"),
  ];
  expect(nodes).toHaveLength(45);
  const size = { width: 1440, height: 560 };
  const { cards } = new GraphEngine().answer({ nodes, edges: apps.flatMap((app) => app.edges), room: roomOf(size), tidy: true });
  const { zoom } = fitView(
    boundsOf(
      cards.map(({ slot }) => slot),
      COMFORTABLE,
    ),
    size,
  );
  expect(detailOf(zoom)).not.toBe("far");
  expect(namePixels(zoom)).toBeGreaterThanOrEqual(11);
  for (let percent = 40; percent < 100; percent += 1) expect(namePixels(percent / 100)).toBeGreaterThanOrEqual(11);
});

test("what a link leads to is in the middle, but for what is free beside the picture", () => {
  const bounds = { x: 0, y: 0, width: 3_000, height: 3_000 };
  expect(centredOn({ x: 0, y: 0, width: 240, height: 80 }, 1, { size: SIZE, bounds })).toMatchObject({ x: 14, y: 34 });
  expect(centredOn({ x: 1_500, y: 1_500, width: 240, height: 80 }, 1, { size: SIZE, bounds })).toEqual({ x: -900, y: -1_220, zoom: 1 });
});

test("a box is moved into sight just so far, and of a large one its upper left is shown", () => {
  const view = { x: 0, y: 0, zoom: 1 };
  const box = { x: 1_400, y: 100, width: 240, height: 80 };
  expect(panInto(box, view, { size: SIZE })).toEqual({ x: -224, y: 0, zoom: 1 });
  expect(panInto({ ...box, width: 9_000 }, view, { size: SIZE }).x).toBe(-1_376);
  expect(panInto(box, panInto(box, view, { size: SIZE }), { size: SIZE })).toEqual(panInto(box, view, { size: SIZE }));
});

test("UB5: new cards out of sight are reported by their side, visible ones are not", () => {
  const slots = { seen: [0, 0], right: [9, 0], below: [0, 30], gone: undefined };
  const cards = new Map(
    Object.entries(slots).flatMap(([id, at]) => {
      const found = foldGraph(byId([node("Pod", id)])).cards.get(`Pod/${id}`);
      return at === undefined || found === undefined
        ? []
        : [[id, { card: found, slot: { lane: 0, column: at[0] ?? 0, row: at[1] ?? 0 } }] as const];
    }),
  );
  const sides = unseenCards({ cards }, Object.keys(slots), { density: COMFORTABLE, view: { x: 0, y: 0, zoom: 1 }, size: SIZE });
  expect([...sides]).toEqual([
    ["right", ["right"]],
    ["below", ["below"]],
  ]);
});

test("areas are named by their workload, the worst first", () => {
  const apps = [application("api", 2), application("web", 2)];
  const nodes = apps.flatMap((app) => app.nodes).map((each) => (each.name === "web-1-0" ? { ...each, status: 5 } : each));
  const { cards } = new GraphEngine().answer({
    nodes: [...nodes, node("Secret", "lone")],
    edges: apps.flatMap((app) => app.edges),
    tidy: true,
  });
  expect(areasOf(cards).map(({ label }) => label)).toEqual(["web", "api", "Others of shop"]);
});
