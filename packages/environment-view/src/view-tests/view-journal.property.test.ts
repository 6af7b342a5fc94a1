import { ChangeKind } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import fc from "fast-check";
import { expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";
import { WatchBudget } from "../limits/watch-budget.ts";

const KINDS = ["/v1/configmaps/ConfigMap", "/v1/events/Event"].map(kindOf);
const MAPS = "/configmaps";
const NAMES = ["a", "b", "c", "d"];

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant("put" as const), name: fc.constantFrom(...NAMES), size: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("delete" as const), name: fc.constantFrom(...NAMES) }) },
  { arbitrary: fc.record({ what: fc.constantFrom("break" as const, "forget" as const, "end" as const) }), weight: 2 },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("wait" as const), ms: fc.constantFrom(1, 500, 3_000, 70_000) }) },
);

/** What has come and gone, by the changes after the first snapshot. */
function replayed(first: readonly string[], view: EnvironmentView): { names: string[]; odd: string[] } {
  const names = new Set(first);
  const odd: string[] = [];
  for (const { kind, ref } of view.changesOf().changes.toReversed()) {
    const name = ref?.name ?? "";
    const isThere = names.has(name);
    if (isThere === (kind === ChangeKind.CREATED || kind === ChangeKind.RECREATED)) odd.push(`${name} ${kind}`);
    if (kind === ChangeKind.DELETED) names.delete(name);
    else names.add(name);
  }
  return { names: [...names].toSorted(), odd };
}

test.each([
  { streams: true, watches: 100 },
  { streams: false, watches: 100 },
  { streams: true, watches: 0 },
])(
  "whatever breaks, nothing is created twice, deleted twice or changed when it is not there: $streams $watches",
  async ({ streams, watches }) => {
    await fc.assert(
      fc.asyncProperty(fc.subarray(NAMES), fc.array(step, { maxLength: 25 }), async (first, steps) => {
        const clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
        const cluster = new FakeCluster(KINDS, { streams });
        const put = (name: string, size: number): void => {
          cluster.put(MAPS, {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: { name, labels: { size: String(size) } },
            data: { k: String(size) },
          });
        };
        for (const name of first) put(name, 0);
        const stop = new AbortController();
        const view = new EnvironmentView({
          client: cluster,
          scope: { namespaces: ["app"] },
          clock,
          random: () => 0.5,
          watches: new WatchBudget(watches),
        });
        view.open(() => undefined);
        const ended = view.run(stop.signal);
        await clock.elapse(1_000);
        for (const each of steps) {
          if (each.what === "put") put(each.name, each.size);
          else if (each.what === "delete") cluster.delete(MAPS, each.name);
          else if (each.what === "wait") await clock.elapse(each.ms);
          else {
            cluster.endsQuietly = each.what === "end";
            if (each.what === "forget") cluster.compact();
            cluster.disconnect();
          }
        }
        await clock.elapse(120_000);
        const there = cluster.objectsOf(MAPS).map(({ metadata }) => metadata.name);
        expect(replayed(first, view)).toEqual({ names: there, odd: [] });
        stop.abort();
        await clock.elapse(0);
        await ended;
        clock.assertIdle();
      }),
      { numRuns: 60 },
    );
  },
);
