import { HealthStatus, Presence } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { madeEdge, madeNode } from "../live/made-view.ts";
import type { ExportScope } from "@binnacle/presentation/export/export-scope";
import { graphJsonOf } from "@binnacle/presentation/drawing/graph-json";

const SCOPE: ExportScope = {
  subject: "graph",
  project: "harbor/shop",
  environment: "production",
  part: "shop-prod",
  filters: [],
  asOfMs: 0,
  asOf: "",
  connection: "",
  gaps: [],
};

test("a graph in JSON has every node and edge, those without a card too, and hostile names are only text", async () => {
  const name = '</script><b>"\n';
  const nodes = [
    madeNode({ id: "a", ref: { kind: "Pod", name }, presence: Presence.PRESENT, health: { status: HealthStatus.DEGRADED }, wanted: -1 }),
    madeNode({ id: "b", ref: { kind: "Secret", name: "s" }, presence: Presence.NOT_VISIBLE, wanted: -1 }),
  ];
  const edges = [madeEdge({ id: "e", from: "a", to: "b", kind: "pod-secret", edgeClass: "mount" })];
  const cardOf = (id: string): string | undefined => (id === "a" ? "fold" : undefined);
  const legend = [{ style: "uses", text: "uses", count: 1 }] as const;
  const read: unknown = JSON.parse(await graphJsonOf({ nodes, edges, cardOf, legend }, SCOPE));
  expect(read).toMatchObject({
    format: "binnacle.graph",
    version: 1,
    asOf: "1970-01-01T00:00:00.000Z",
    legend,
    nodes: [
      { id: "a", name, status: "degraded", presence: "present", card: "fold", ready: null },
      { id: "b", status: "none", presence: "not-visible", card: null },
    ],
    edges: [{ from: "a", to: "b", kind: "pod-secret", class: "mount", ready: null }],
  });
});
