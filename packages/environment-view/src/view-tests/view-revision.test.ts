import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import type { ViewMessage } from "../stream/view-model.ts";
import { textsOf, type NodeTexts } from "../stream/view-reader.ts";

const KINDS = ["/v1/pods/Pod", "/v1/events/Event", "/v1/configmaps/ConfigMap", "apps/v1/deployments/Deployment"].map(kindOf);

let clock: ManualClock;
let cluster: FakeCluster;
let stop: AbortController;
let ended: Promise<unknown>;
const nodes = new Map<string, NodeTexts>();
const messages: ViewMessage[] = [];

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:10:00Z"));
  cluster = new FakeCluster(KINDS);
  stop = new AbortController();
  ended = Promise.resolve();
  nodes.clear();
  messages.length = 0;
});

afterEach(async () => {
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
});

/** Opens a view and reads it into `into`. */
async function start(into: Map<string, NodeTexts> = nodes): Promise<void> {
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, clock, random: () => 0 });
  ended = Promise.all([ended, view.run(stop.signal)]);
  const subscription = view.open(() => {
    const message = subscription.take();
    if (!message) return;
    if (into === nodes) messages.push(message);
    for (const node of message.kind === "snapshot" ? message.nodes : message.upsertedNodes) into.set(node.ref?.name ?? "", textsOf(node));
  });
  await clock.elapse(1_000);
}

function putPod(name: string): KubeObject {
  return cluster.put("/pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, uid: name },
    spec: { restartPolicy: "Always" },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  });
}

function report(name: string, about: string, message = "back-off"): KubeObject {
  const involvedObject = { apiVersion: "v1", kind: "Pod", namespace: "app", name: about, uid: about };
  return cluster.put("/events", { apiVersion: "v1", kind: "Event", metadata: { name }, involvedObject, reason: "BackOff", message });
}

function revisionOf(name: string): number | undefined {
  return nodes.get(name)?.revision;
}

describe("revision", () => {
  test("W9: an Event about an object that is well, one that is reported again and one that goes each make another revision within a second", async () => {
    putPod("p");
    await start();
    const seen = [revisionOf("p")];
    for (const change of [() => report("e", "p"), () => report("e", "p", "again"), () => cluster.delete("/events", "e")]) {
      change();
      await clock.elapse(300);
      seen.push(revisionOf("p"));
    }
    expect(new Set(seen.slice(0, 3)).size).toBe(3);
    expect(seen[3]).toBe(seen[0]);
  });

  test("W9: an Event changes the revision of what it is about, and nothing else of anything", async () => {
    for (const name of ["p", "q"]) putPod(name);
    await start();
    const [p, q] = [nodes.get("p"), nodes.get("q")];
    messages.length = 0;
    report("e", "p");
    await clock.elapse(2_000);
    expect(messages).toMatchObject([{ kind: "delta", upsertedNodes: [{ ref: { name: "p" } }], upsertedEdges: [], removedEdges: [] }]);
    expect({ ...nodes.get("p"), revision: p?.revision }).toEqual(p);
    expect(nodes.get("q")).toBe(q);
  });

  test("W9: a thousand Events about one object in a second are at most five deltas of one node", async () => {
    putPod("p");
    await start();
    messages.length = 0;
    for (let index = 0; index < 1_000; index += 1) {
      report(`e-${index % 50}`, "p", `${index}`);
      if (index % 10 === 9) await clock.elapse(10);
    }
    await clock.elapse(250);
    expect(messages.length).toBeLessThanOrEqual(6);
    for (const message of messages) expect(message).toMatchObject({ kind: "delta", upsertedNodes: [{ ref: { name: "p" } }] });
  });

  test("W8: a change of the object that no card shows makes another revision", async () => {
    const config = (value: string): KubeObject =>
      cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c", uid: "c" }, data: { key: value } });
    config("one");
    await start();
    const before = revisionOf("c");
    config("two");
    await clock.elapse(300);
    expect(revisionOf("c")).not.toBe(before);
  });

  test("W9: an Event about what is not in the view, or about nothing, changes nothing", async () => {
    putPod("p");
    await start();
    messages.length = 0;
    report("e", "elsewhere");
    cluster.put("/events", { apiVersion: "v1", kind: "Event", metadata: { name: "f" }, reason: "Nothing" });
    await clock.elapse(2_000);
    expect(messages.flatMap((message) => (message.kind === "delta" ? message.upsertedNodes : []))).toEqual([]);
  });

  test("W9: a view that has seen it all and one that is opened now have the same revisions", async () => {
    putPod("p");
    await start();
    for (const name of ["e", "f", "g"]) report(name, "p");
    await clock.elapse(1_000);
    putPod("p");
    cluster.delete("/events", "f");
    await clock.elapse(1_000);
    const fresh = new Map<string, NodeTexts>();
    await start(fresh);
    expect(fresh.get("p")).toEqual(nodes.get("p"));
  });
});
