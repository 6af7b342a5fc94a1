import { createStatus } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { KindReflectorHarness, pod } from "./kind-reflector-harness.ts";

const NAMES = ["a", "b", "c", "d"] as const;
const REFUSAL = new KubeClientError("api", "sendInitialEvents is forbidden", {
  status: createStatus(422, "sendInitialEvents is forbidden"),
});
const OUTAGES = [
  new KubeClientError("agent_offline", "no tunnel"),
  new KubeClientError("connection", "kas does not answer"),
  new KubeClientError("api", "slow down", { status: createStatus(429, "slow down") }),
  new KubeClientError("api", "broken", { status: createStatus(500, "broken") }),
];

/** One thing that happens to the cluster, or to the way there. */
type Step = (harness: KindReflectorHarness) => Promise<void> | void;

const change = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...NAMES).map(
      (name): Step =>
        ({ cluster }) =>
          void cluster.put("/pods", pod(name)),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(...NAMES).map(
      (name): Step =>
        ({ cluster }) =>
          cluster.delete("/pods", name),
    ),
  },
  fc.constantFrom(...NAMES).map((name): Step => ({ cluster }) => {
    // Another object under the same name.
    cluster.delete("/pods", name);
    cluster.put("/pods", pod(name));
  }),
);

const trouble = fc.oneof(
  fc.constant<Step>(({ cluster }) => cluster.disconnect()),
  fc.constant<Step>(({ cluster }) => cluster.compact()),
  fc.constant<Step>(({ cluster }) => cluster.bookmark()),
  fc.constantFrom(undefined, ...OUTAGES).map(
    (outage): Step =>
      ({ cluster }) =>
        void (cluster.outage = outage),
  ),
  fc.constantFrom(undefined, 0, 1, 2).map(
    (after): Step =>
      ({ cluster }) =>
        void (cluster.streamBreaksAfter = after),
  ),
  fc.constantFrom(0, 1, 2, 5).map(
    (after): Step =>
      ({ cluster }) =>
        void (cluster.streamsHeldAfter = after),
  ),
  fc.constant<Step>(({ cluster }) => cluster.releaseStreams()),
  fc.constantFrom(undefined, REFUSAL).map(
    (refusal): Step =>
      ({ cluster }) =>
        void (cluster.streamRefusal = refusal),
  ),
  fc.boolean().map(
    (quietly): Step =>
      ({ cluster }) =>
        void (cluster.endsQuietly = quietly),
  ),
  fc.boolean().map(
    (before): Step =>
      ({ cluster }) =>
        void (cluster.changesBeforeEnd = before),
  ),
  fc.boolean().map(
    (ignored): Step =>
      ({ cluster }) =>
        void (cluster.ignoresInitialEvents = ignored),
  ),
);

const time = fc.constantFrom(0, 10, 400, 3_000, 20_000).map(
  (byMs): Step =>
    ({ clock }) =>
      clock.elapse(byMs),
);

const history = fc.array(fc.oneof({ weight: 4, arbitrary: change }, { weight: 2, arbitrary: trouble }, { weight: 3, arbitrary: time }), {
  minLength: 1,
  maxLength: 40,
});

/** All trouble ends; then it takes at most a minute until everything is known. */
async function quiet({ cluster, clock }: KindReflectorHarness): Promise<void> {
  cluster.outage = undefined;
  cluster.streamBreaksAfter = undefined;
  cluster.releaseStreams();
  await clock.elapse(120_000);
}

/** Versions that were reported again, or an older one after a newer one. */
function reportedTwice(reported: readonly string[]): string[] {
  const newest = new Map<string, number>();
  return reported.filter((line) => {
    const [, name = "", version] = /^\+(\w+)@(\d+)$/.exec(line) ?? [];
    if (version === undefined) return false;
    const again = Number(version) <= (newest.get(name) ?? 0);
    newest.set(name, Number(version));
    return again;
  });
}

test.each([{ streams: true }, { streams: false }])(
  "whatever happens, at every quiet point the store is the cluster, and nothing was reported twice (%o)",
  async (options) => {
    await fc.assert(
      fc.asyncProperty(fc.array(history, { minLength: 1, maxLength: 3 }), async (histories) => {
        const harness = new KindReflectorHarness(options);
        await harness.start();
        for (const steps of histories) {
          for (const step of steps) await step(harness);
          await quiet(harness);
          const shown = [...harness.shown.values()].toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
          expect(shown).toEqual(harness.cluster.objectsOf("/pods"));
          expect(harness.source.state.settled).toBe("live");
          expect(reportedTwice(harness.reported)).toEqual([]);
        }
        await harness.end();
      }),
      { numRuns: 200 },
    );
  },
  30_000,
);
