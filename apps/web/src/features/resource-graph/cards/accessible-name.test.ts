import { create } from "@bufbuild/protobuf";
import { HealthStatus, NoticeSchema, Presence } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { expect, test } from "vitest";
import { nameOfFold, nameOfNode } from "@binnacle/presentation/drawing/accessible-name";
import { DEFAULT_EDGES } from "@binnacle/presentation/graph/default-edges";
import { shownStyles } from "@binnacle/presentation/drawing/edge-presets";
import { inputEdgeOf, inputNodeOf, styleOf } from "@binnacle/presentation/layout/graph-input-of";
import { foldGraph } from "@binnacle/presentation/layout/fold-graph";
import { byId, node as inputNode } from "@binnacle/presentation/layout/testing";
import { madeNode } from "../../live/made-view.ts";
import type { LiveNode } from "../../live/live-node.ts";
import { shortTitleOfFold } from "@binnacle/presentation/layout/fold-title";

function node(presence: Presence): LiveNode {
  return madeNode({
    id: "1",
    ref: { kind: "Deployment", name: "web", namespace: "production-ns" },
    presence,
    health: { status: HealthStatus.DEGRADED, reason: "ImagePullBackOff", words: toWordsMessage(quoted("no such image")) },
    factWords: toWordsMessage(words("fact/ready", { count: "0/1" })),
  });
}

test("says kind, name, namespace, health, reason and the decisive fact", () => {
  expect(nameOfNode(node(Presence.PRESENT))).toBe("Deployment web in production-ns, Degraded, ImagePullBackOff: no such image, 0/1 ready");
});

test("what may not be seen has no health, in words and in the layout", () => {
  expect(nameOfNode(node(Presence.NOT_VISIBLE))).toBe("Deployment web in production-ns, not visible to you");
  expect(inputNodeOf(node(Presence.NOT_VISIBLE))).toMatchObject({ presence: "hidden", status: HealthStatus.UNSPECIFIED });
});

test("a resource that does not exist is missing, whatever its last state", () => {
  expect(inputNodeOf(node(Presence.MISSING)).status).toBe(HealthStatus.MISSING);
});

test("an edge is drawn from the owner to the owned, though the owned holds the reference", () => {
  const edge = {
    id: "e",
    from: "rs",
    to: "deployment",
    kind: "owner",
    edgeClass: "owner",
    portMissing: false,
    missingPorts: [],
    fieldPaths: [],
    optional: false,
    missing: false,
    flowReversed: true,
    refused: false,
  };
  expect(inputEdgeOf({ $typeName: "dashboard.v1.Edge", ...edge }, undefined)).toMatchObject({
    source: "deployment",
    target: "rs",
    style: "owns",
  });
});

test("only a reference that is not optional dangles", () => {
  expect(styleOf({ kind: "pod-cm", edgeClass: "mount", missing: true, optional: false, refused: false, portMissing: false })).toBe(
    "dangling",
  );
  expect(styleOf({ kind: "pod-cm", edgeClass: "mount", missing: true, optional: true, refused: false, portMissing: false })).toBe("uses");
});

test("W20: a line to a port that is not there dangles", () => {
  expect(styleOf({ kind: "ing-svc", edgeClass: "route", missing: false, optional: false, refused: false, portMissing: true })).toBe(
    "dangling",
  );
});

test("a refused reference dangles though its target exists", () => {
  expect(styleOf({ kind: "route-svc", edgeClass: "route", missing: false, optional: false, refused: true, portMissing: false })).toBe(
    "dangling",
  );
});

test("what the catalogue has off by default is drawn only when the user selects it", () => {
  expect(styleOf({ kind: "pod-sa", edgeClass: "rbac", missing: false, optional: false, refused: false, portMissing: false })).toBe(
    "governs",
  );
  expect(styleOf({ kind: "pdb-pod", edgeClass: "policy", missing: false, optional: false, refused: false, portMissing: false })).toBe(
    "binds",
  );
  expect(shownStyles(DEFAULT_EDGES).has("governs")).toBe(false);
  expect(shownStyles("all").has("governs")).toBe(true);
});

test("every class has its style, and one of a newer server has one too", () => {
  const styles = (classes: readonly string[]) =>
    classes.map((edgeClass) =>
      styleOf({ kind: "custom:any", edgeClass, missing: false, optional: false, refused: false, portMissing: false }),
    );
  expect(styles(["owner", "inferred-owner"])).toEqual(["owns", "owns"]);
  expect(styles(["select", "route"])).toEqual(["routes", "routes"]);
  expect(styles(["mount"])).toEqual(["uses"]);
  expect(new Set(styles(["bind", "target", "policy", "rbac", "class", "place", "of-a-newer-server"]))).toEqual(new Set(["binds"]));
});

test("the name counts notices, and says nothing where there are none", () => {
  const noted = (count: number) => {
    const plain = node(Presence.PRESENT);
    return nameOfNode(
      madeNode({ ...plain, notices: Array.from({ length: count }, () => create(NoticeSchema, { reason: "NoReadyEndpoints" })) }),
    );
  };
  expect(noted(0)).toMatch(/0\/1 ready$/);
  expect(noted(1)).toMatch(/0\/1 ready, 1 notice$/);
  expect(noted(2)).toMatch(/, 2 notices$/);
});

test("a fold says what it holds, of whom, and how those and what lies below them are", () => {
  const runs = [1, 2].flatMap((run) => [
    inputNode("Job", `report-${run}`, { ownerId: "CronJob/report", superseded: true }),
    inputNode("Pod", `report-${run}-x`, { ownerId: `Job/report-${run}`, status: run === 1 ? HealthStatus.DEGRADED : HealthStatus.HEALTHY }),
  ]);
  const pods = Array.from({ length: 6 }, (_, index) => inputNode("Pod", `web-${index}`, { ownerId: "ReplicaSet/web" }));
  const nodes = byId([inputNode("CronJob", "report"), ...runs, inputNode("ReplicaSet", "web"), ...pods]);
  const folds = [...foldGraph(nodes, new Map()).cards.values()].filter((card) => card.type === "fold");
  expect(folds.map(nameOfFold)).toEqual([
    "6 pods of ReplicaSet web in shop, folded: 6 Healthy",
    "2 completed Jobs in shop, folded: 2 Healthy, and below them the worst is Degraded",
  ]);
  expect(folds.map(shortTitleOfFold)).toEqual(["6 pods", "2 completed Jobs"]);
});
