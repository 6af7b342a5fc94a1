import { HealthStatus, Presence, SettledState, SourceSchema, type Source } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { madeNode, type NamedNode } from "../../live/made-view.ts";
import type { LiveNode } from "../../live/live-node.ts";
import { podsOnNode, revisionOfPodsOn } from "./cluster-node.ts";

const NOON_MS = Date.parse("2026-01-01T12:00:00Z");

function pod(name: string, more: Partial<NamedNode> = {}): LiveNode {
  const ref = { group: "", version: "v1", kind: "Pod", resource: "pods", namespace: "shop", name };
  return madeNode({ id: name, ref, presence: Presence.PRESENT, nodeName: "n-1", revision: 7, ...more });
}

function source(more: MessageInitShape<typeof SourceSchema> = {}): Source {
  return create(SourceSchema, { resource: "pods", kind: "Pod", settled: SettledState.LIVE, ...more });
}

const lost = (minutes: number) => ({
  health: { status: HealthStatus.DEGRADED, reason: "NodeLost", since: timestampFromMs(NOON_MS + minutes * 60_000) },
});

test("S2: pods on a node are listed worst first, with those that show that it is lost and since when", () => {
  const well = pod("a", { health: { status: HealthStatus.HEALTHY, reason: "Ready" } });
  const nodes = [well, pod("b", lost(5)), pod("c", lost(-5)), pod("d", { nodeName: "n-10" }), pod("e", { presence: Presence.MISSING })];
  const { pods, ...rest } = podsOnNode(nodes, "n-1", { sources: [source()], complete: true });
  expect(pods.map(({ ref }) => ref?.name)).toEqual(["b", "c", "a"]);
  expect(rest).toEqual({ lost: 2, lostSinceMs: NOON_MS - 5 * 60_000, known: "all" });
});

test("S2: that there are no pods on a node is known when all of them are read", () => {
  expect(podsOnNode([], "n-1", { sources: [source()], complete: true }).known).toBe("all");
});

test.each<[string, readonly Source[], boolean]>([
  ["while the view is being filled", [source()], false],
  ["where pods may not be read", [source({ settled: SettledState.FORBIDDEN })], true],
  ["without a source of pods", [], true],
])("S2: whether there are pods on a node is not known %s", (_what, sources, complete) => {
  expect(podsOnNode([], "n-1", { sources, complete }).known).toBe("none");
});

test("S2: of pods that are read in part there may be more", () => {
  const sources = [source({ settled: SettledState.TRUNCATED })];
  expect(podsOnNode([pod("a")], "n-1", { sources, complete: true }).known).toBe("some");
});

test("the node is read again when one of its pods changes, comes or goes", () => {
  const revisions = [[pod("a")], [pod("a", { revision: 8 })], [pod("a"), pod("b")], []].map((pods) => revisionOfPodsOn(pods, "n-1"));
  expect(new Set(revisions).size).toBe(4);
  expect(
    revisionOfPodsOn(
      Array.from({ length: 3 }, () => pod("a", { revision: 2 ** 32 - 1 })),
      "n-1",
    ),
  ).toBeLessThan(2 ** 32);
});
