import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";

const WIDGETS = kindOf("example.com/v1/widgets/Widget");

function widget(name: string, namespace: string, owners: readonly string[]): KubeObject {
  const ownerReferences = owners.map((owner) => ({ apiVersion: "example.com/v1", kind: "Widget", name: owner, uid: `uid-${owner}` }));
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name, namespace, uid: `uid-${name}`, ownerReferences } };
}

test("W20: owner references that do not count are reported, also when the owner comes later, and withdrawn", async () => {
  const clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  const cluster = new FakeCluster([WIDGETS]);
  const id = "example.com/widgets";
  for (const each of [widget("child", "app", ["far"]), widget("a", "app", ["b"]), widget("b", "app", ["a"])]) cluster.put(id, each);
  const stop = new AbortController();
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: [] }, clock, random: () => 0 });
  const ended = view.run(stop.signal);
  const byName = new Map<string, string>();
  const subscription = view.open(() => {
    const message = subscription.take();
    for (const { ref, notices } of message?.kind === "snapshot" ? message.nodes : (message?.upsertedNodes ?? []))
      byName.set(ref?.name ?? "", notices.map(({ reason }) => reason).join());
  });
  const reported = (): string[] => [...byName].flatMap(([name, reasons]) => (reasons === "" ? [] : [`${name} ${reasons}`])).toSorted();
  await clock.elapse(1_000);
  expect(reported()).toEqual(["b OwnerRing"]);
  cluster.put(id, widget("far", "elsewhere", []));
  cluster.put(id, widget("b", "app", []));
  await clock.elapse(1_000);
  expect(reported()).toEqual(["child OwnerInOtherNamespace"]);
  stop.abort();
  await clock.elapse(0);
  await ended;
});
