import type { KubeObject } from "@binnacle/kube";
import type { IssueGroup } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";

import { inWords, type InWords } from "../stream/in-words.ts";
import type { ViewSource } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { ViewState } from "../stream/view-state.ts";
import { EventIndex } from "../nodes/event-index.ts";
import { GraphProjection } from "./graph-projection.ts";
import { object, owned } from "../testing/made-objects.ts";

const NOW_MS = Date.parse("2026-01-01T12:00:00Z");
const SINCE = "2026-01-01T11:42:00Z";
const DEPLOYMENT = object("apps/v1", "Deployment", "web");
const DAEMON_SET = object("apps/v1", "DaemonSet", "log");

/** A pod with a node; it says nothing of that by itself. */
function podOn(node: string, name: string, status: object): KubeObject {
  const creationTimestamp = status === WAITING ? PLACED : "2026-01-01T10:00:00Z";
  const metadata = { ...object("v1", "Pod", name).metadata, creationTimestamp };
  return { apiVersion: "v1", kind: "Pod", metadata, spec: { nodeName: node, containers: [{ name: "app" }] }, status };
}

/** Status that the node controller leaves when a node is not ready. */
const LOST = {
  phase: "Running",
  startTime: "2026-01-01T10:00:00Z",
  conditions: [{ type: "Ready", status: "False", lastTransitionTime: SINCE }],
  containerStatuses: [{ name: "app", ready: true, restartCount: 0, state: { running: {} } }],
};
/** When a pod was created and placed on its node: a moment ago. */
const PLACED = "2026-01-01T11:59:50Z";
const WAITING = { phase: "Pending", conditions: [{ type: "PodScheduled", status: "True", lastTransitionTime: PLACED }] };

function sourceOfPods(rest: Partial<ViewSource> = {}): ViewSource {
  const names = { id: "/pods/app", group: "", version: "v1", resource: "pods", kind: "Pod", namespace: "app" };
  return { ...names, settled: "live", shown: 1, total: 0, countsForHealth: true, ...rest };
}

/** Issues of a projection to which objects come one after the other. */
class Issues {
  readonly #projection: GraphProjection;
  readonly #state: ViewState;

  constructor(scope: ViewScope = { namespaces: ["app"] }) {
    const options = { scope, now: () => NOW_MS, events: new EventIndex(), rules: undefined, isWhole: () => true, customEdges: [] };
    this.#projection = new GraphProjection({ ...options, changed: () => {} });
    this.#state = new ViewState(this.#projection.health([]), { state: "connected", sinceMs: 0 });
  }

  /** @returns issues by the names of their members */
  after(objects: readonly KubeObject[], sources: readonly ViewSource[] = [sourceOfPods()]): ReadonlyMap<string, InWords<IssueGroup>> {
    for (const each of objects) this.#projection.upsert(each);
    this.#projection.flush(this.#state);
    const { issues } = inWords(this.#projection.health(sources));
    return new Map(issues.map((issue) => [issue.members.map(({ ref }) => ref?.name ?? "").join(), issue]));
  }
}

test("S2: a pod that has not started blames the node as soon as another pod shows that it is lost, and no longer when that is over", () => {
  const issues = new Issues();
  const waiting = owned(DAEMON_SET, podOn("bench-1", "log-0", WAITING));
  const daemonSet = { ...DAEMON_SET, status: { desiredNumberScheduled: 1, numberReady: 0 } };
  expect(issues.after([daemonSet, waiting]).get("log")?.words).toBe("Pod log-0 is starting");
  const lost = issues.after([podOn("bench-1", "web-0", LOST)]).get("web-0,log");
  expect(lost).toMatchObject({ node: "bench-1", reason: "NodeLost", pods: 2, morePods: false });
  expect(lost?.next).toMatch(/^Check the machine and the kubelet of node bench-1/);
  const ready = { ...LOST, conditions: [{ type: "Ready", status: "True", lastTransitionTime: SINCE }] };
  expect(issues.after([podOn("bench-1", "web-0", ready)]).get("log")?.words).toBe("Pod log-0 is starting");
});

test("S2: a lost node says nothing of pods on another", () => {
  const issues = new Issues().after([podOn("bench-1", "web-0", LOST), podOn("bench-2", "other", WAITING)]);
  expect([issues.get("web-0")?.node, issues.get("other")?.node]).toEqual(["bench-1", ""]);
});

test("S2: the pods of a lost node are counted below their owners, without those that have ended", () => {
  const pods = ["web-0", "web-1", "web-2"].map((name) => owned(DEPLOYMENT, podOn("bench-1", name, LOST)));
  const evicted = owned(DEPLOYMENT, podOn("bench-1", "web-3", { phase: "Failed", reason: "Evicted" }));
  const issues = new Issues().after([{ ...DEPLOYMENT, spec: { replicas: 4 } }, ...pods, evicted, podOn("bench-2", "else", LOST)]);
  expect(issues.get("web")).toMatchObject({ node: "bench-1", membersTotal: 1, pods: 3, morePods: false });
  expect(issues.get("else")).toMatchObject({ node: "bench-2", pods: 1 });
});

test.each<[string, readonly ViewSource[]]>([
  ["are only read in part", [sourceOfPods({ settled: "truncated", total: 9 })]],
  ["are forbidden in one of the namespaces", [sourceOfPods(), sourceOfPods({ id: "/pods/db", namespace: "db", settled: "forbidden" })]],
  ["have no source", []],
])("S2: there may be more pods on a node where pods %s", (_what, sources) => {
  const issue = new Issues().after([podOn("bench-1", "web-0", LOST)], sources).get("web-0");
  expect(issue).toMatchObject({ pods: 1, morePods: true });
});

test("S2: where the rules of a team hide pods, their number is not known", () => {
  const rules = { id: "r", hidden: ["Pod"], ignored: [], edges: [], health: [] };
  const issue = new Issues({ namespaces: ["app"], rules }).after([
    { ...DEPLOYMENT, spec: { replicas: 1 }, status: { replicas: 1 } },
    owned(DEPLOYMENT, podOn("bench-1", "web-0", LOST)),
  ]);
  expect(issue.get("web")).toMatchObject({ node: "bench-1" });
  expect(issue.get("web")?.pods).toBeUndefined();
});
