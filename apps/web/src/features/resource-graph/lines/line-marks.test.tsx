import { HealthStatus } from "@binnacle/proto/dashboard";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { madeEdge, madeNode, type NamedEdge } from "../../live/made-view.ts";
import { shownStyles } from "@binnacle/presentation/drawing/edge-presets";
import { COMFORTABLE } from "@binnacle/presentation/drawing/geometry";
import { inputEdgeOf, inputNodeOf } from "@binnacle/presentation/layout/graph-input-of";
import { cardEdgesOf } from "@binnacle/presentation/layout/card-edges";
import { routeEdges } from "@binnacle/presentation/layout/routes";
import { foldGraph } from "@binnacle/presentation/layout/fold-graph";
import { LINE_MARKS } from "@binnacle/presentation/layout/graph-input";
import { byId } from "@binnacle/presentation/layout/testing";
import { LineMarks, MarkSign } from "./line-marks.tsx";
import { Lines } from "@binnacle/presentation/drawing/line-path";

const INGRESS = node("Ingress", "shop");
const SERVICE = node("Service", "web");
const PODS = ["web-0", "web-1"].map((name) => node("Pod", name));

function node(kind: string, name: string) {
  return madeNode({ id: `${kind}/${name}`, ref: { kind, name, namespace: "app" }, health: { status: HealthStatus.HEALTHY } });
}

/** Names of the marks in the picture of these edges. */
function marksOf(...edges: readonly Partial<NamedEdge>[]): string[] {
  const live = edges.map((fields, index) =>
    madeEdge({ id: String(index), from: INGRESS.id, to: SERVICE.id, kind: "ing-svc", edgeClass: "route", ...fields }),
  );
  const nodes = byId([INGRESS, SERVICE, ...PODS].map(inputNodeOf));
  const inputs = byId(live.map((edge) => inputEdgeOf(edge, SERVICE)));
  const folded = foldGraph(nodes, inputs);
  const placed = [...folded.cards.values()].map((card, index) => ({ card, slot: { lane: 0, column: index, row: 0 } }));
  const slots = new Map(placed.map(({ card, slot }) => [card.id, slot]));
  const picture = {
    cards: new Map(placed.map((each) => [each.card.id, each])),
    edges: routeEdges(cardEdgesOf(folded, nodes, inputs), slots),
  };
  const lines = new Lines().of(picture, shownStyles("all"), { density: COMFORTABLE, tile: "" });
  const html = renderToStaticMarkup(<svg>{<LineMarks lines={lines} />}</svg>);
  return [...html.matchAll(/role="img" aria-label="([^"]*)"/g)].map(([, name = ""]) => name);
}

test("W20: a line says by a sign with a name why it leads nowhere, or that no traffic takes it", () => {
  expect(marksOf({ portMissing: true, missingPorts: ["8080"] })).toEqual(["Ingress shop to Service web: no such port"]);
  expect(marksOf({ refused: true })).toEqual(["Ingress shop to Service web: refused"]);
  expect(marksOf({ missing: true })).toEqual(["Ingress shop to Service web: does not exist"]);
  expect(marksOf({ weight: 0, share: 0 })).toEqual(["Ingress shop to Service web: no traffic"]);
  expect(marksOf({}, { kind: "route-svc", weight: 1, share: 1 }, { kind: "route-gw", missing: true, optional: true })).toEqual([]);
});

test("of several reasons the gravest is shown", () => {
  expect(marksOf({ portMissing: true, refused: true })).toEqual(["Ingress shop to Service web: refused"]);
  expect(marksOf({ portMissing: true }, { kind: "route-svc", missing: true })).toEqual(["Ingress shop to Service web: does not exist"]);
});

test("W20: a line is idle only where nothing that it stands for takes traffic, whatever selects the pod", () => {
  const [pod = SERVICE, other = SERVICE] = PODS;
  const selects = { from: SERVICE.id, to: pod.id, kind: "svc-pod", edgeClass: "select" };
  const slice = { from: SERVICE.id, to: pod.id, kind: "slice-pod", edgeClass: "route" };
  expect(marksOf(selects, { ...slice, ready: false })).toEqual(["Service web to Pod web-0: no traffic"]);
  expect(marksOf(selects, { ...slice, ready: false }, { ...slice, kind: "endpoints-pod", ready: true })).toEqual([]);
  expect(marksOf({ ...slice, ready: true }, { ...slice, to: other.id, ready: false })).toEqual(["Service web to Pod web-1: no traffic"]);
});

test("no two marks have the same shape", () => {
  const shapes = LINE_MARKS.map((mark) => renderToStaticMarkup(<MarkSign mark={mark} />).replace(/data-mark="\w+"/, ""));
  expect(new Set(shapes).size).toBe(LINE_MARKS.length);
});
