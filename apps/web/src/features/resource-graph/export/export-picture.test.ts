import { create } from "@bufbuild/protobuf";
import { HealthStatus, Presence, WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { EnvironmentStore } from "../../live/environment-store.ts";
import { MadeView, type NamedNode } from "../../live/made-view.ts";
import { GraphEngine } from "@binnacle/presentation/layout/graph-engine";
import { shownStyles } from "@binnacle/presentation/drawing/edge-presets";
import { GraphSession } from "../picture/graph-session.ts";
import { exportPicture, pictureGaps } from "@binnacle/presentation/drawing/export-picture";

function sessionOf(nodes: readonly NamedNode[], edges: Parameters<MadeView["edges"]>[0]) {
  const made = new MadeView();
  const store = new EnvironmentStore((flush) => flush());
  const value = { nodes: made.nodes(nodes), edges: made.edges(edges), complete: true };
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value } }), 1);
  const engine = new GraphEngine();
  const session = new GraphSession(store, () => ({ send: (request, answer) => answer(engine.answer(request)), close: () => undefined }));
  return { store, session };
}

const pod = (name: string, rest: Partial<NamedNode> = {}): NamedNode => ({
  id: name,
  ref: { kind: "Pod", name, namespace: "shop" },
  presence: Presence.PRESENT,
  health: { status: HealthStatus.HEALTHY },
  ...rest,
});

test("every card leaves with its words, those of hostile names bounded, and every line between them", () => {
  const evil = `\u202E${"x".repeat(1_000_000)}`;
  const { store, session } = sessionOf(
    [
      pod("web", { ref: { kind: "Service", name: "web", namespace: "shop" } }),
      pod(evil, { health: { status: HealthStatus.DEGRADED, reason: "CrashLoopBackOff" } }),
      pod("cm", { ref: { kind: "ConfigMap", name: "cm", namespace: "shop" }, presence: Presence.MISSING }),
    ],
    [{ id: "e", from: "web", to: evil, kind: "svc-pod", edgeClass: "select" }],
  );
  const picture = exportPicture(session.picture(), store, shownStyles("all"));
  const looks = new Set(picture.cards.map(({ word, outline }) => `${word}, ${outline}`));
  expect(looks).toEqual(new Set(["Degraded, plain", "Healthy, plain", "Missing, dashed"]));
  for (const { name, title } of picture.cards) expect(Math.max(name.length, title.length)).toBeLessThan(300);
  expect(picture.cards.find(({ word }) => word === "Degraded")?.strip).toBe("CrashLoopBackOff");
  expect(picture.lines.map(({ style }) => style)).toEqual(["routes"]);
  expect(picture.legend.find(({ style }) => style === "routes")?.count).toBe(1);
  session.close();
});

test("the export states what the graph hides and folds", () => {
  const { session } = sessionOf([pod("a"), pod("b", { health: { status: HealthStatus.DEGRADED } })], []);
  expect(pictureGaps(session.picture())).toEqual([]);
  session.setFilter({ namespaces: [], kinds: [], statuses: [], onlyProblems: true });
  expect(pictureGaps(session.picture())).toEqual(["1 resource is hidden by filters"]);
  session.close();
});
