import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { ClusterView } from "../engine/cluster-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { Informers } from "../informers/informers.ts";
import { ViewerClient } from "../informers/viewer-client.ts";
import type { KubeClient } from "../base/kube-client.ts";
import { object, owned } from "../testing/made-objects.ts";
import { madeEvent } from "../events/made-event.ts";
import type { EventsTable } from "../events/scope-events.ts";

const KINDS = ["/v1/pods/Pod", "/v1/events/Event", "apps/v1/replicasets/ReplicaSet"].map(kindOf);
const PODS = ["web-7c9f8d6b5-x2lq4", "web-7c9f8d6b5-9hvdk"];
const REPLICA_SET = object("apps/v1", "ReplicaSet", "web-7c9f8d6b5");
const SCOPE = { namespaces: ["app"] };

const pod = fc.constantFrom(...PODS);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant("event" as const),
      name: fc.constantFrom("a", "b", "c"),
      pod,
      count: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("expire" as const), name: fc.constantFrom("a", "b", "c") }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("pod" as const), pod }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("gone" as const), pod }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("break" as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("forbid" as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("allow" as const) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("wait" as const), ms: fc.constantFrom(1, 700, 5_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(cluster: FakeCluster, clock: ManualClock, each: Step): Promise<void> {
  const podOf = (name: string): KubeObject => owned(REPLICA_SET, object("v1", "Pod", name));
  if (each.what === "event")
    cluster.put(
      "/events",
      madeEvent(each.name, { count: each.count, reason: each.count > 5 ? "BackOff" : "Failed" }, { name: each.pod, uid: each.pod }),
    );
  else if (each.what === "expire") cluster.delete("/events", each.name);
  else if (each.what === "pod") cluster.put("/pods", podOf(each.pod));
  else if (each.what === "gone") cluster.delete("/pods", each.pod);
  else if (each.what === "break") cluster.disconnect();
  else if (each.what === "forbid") cluster.forbidden.add("/events");
  else if (each.what === "allow") cluster.forbidden.delete("/events");
  else await clock.elapse(each.ms);
}

/** Events of a table, by key, as bytes. */
function eventsIn({ table }: EventsTable): Map<string, string> {
  const events = table.entries().filter(({ key }) => key.startsWith("e/"));
  return new Map(
    events.map(({ key, value }): [string, string] => [key, Buffer.from(value).toString("hex")]).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

test("T37: a viewer that is served by informers receives the same events as one that reads them itself, whatever happens", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const clock = new ManualClock(Date.parse("2026-01-01T00:10:00Z"));
      const cluster = new FakeCluster(KINDS, { streams: true });
      cluster.put("apps/replicasets", REPLICA_SET);
      const stop = new AbortController();
      const informers = new Informers({ client: cluster, clock, budget: new ByteBudget(2 ** 24), random: () => 0 });
      const rights = {
        mayList: ({ resource }: { readonly resource: string }) => resource !== "events" || !cluster.forbidden.has("/events"),
        mayGet: () => true,
      };
      const own = new ClusterView({ client: cluster, clock, random: () => 0 });
      const viewer: KubeClient = new ViewerClient({ informers, rights, viewer: cluster });
      const agents = new ClusterView({ client: viewer, clock, random: () => 0, keeping: informers.keeping });
      const running = [informers.run(stop.signal), own.run(stop.signal), agents.run(stop.signal)];
      const tables = [own, agents].map((view) => view.openScope(SCOPE).openEvents());
      await clock.elapse(1_500);
      for (const each of steps) await take(cluster, clock, each);
      cluster.forbidden.clear();
      await clock.elapse(130_000);
      const [mine, other] = tables.map(eventsIn);
      expect(other).toEqual(mine);
      expect(mine?.size).toBeGreaterThanOrEqual(cluster.objectsOf("/events").length === 0 ? 0 : 1);
      for (const table of tables) table.close();
      stop.abort();
      await clock.elapse(0);
      await Promise.all(running);
    }),
    { numRuns: 40 },
  );
});
