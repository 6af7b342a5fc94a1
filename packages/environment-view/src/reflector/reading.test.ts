import { createStatus } from "@binnacle/kube";
import { reachedStates } from "@binnacle/testing";
import { expect, test } from "vitest";

import { KubeClientError } from "../base/kube-client.ts";
import { KindReflectorHarness as Harness, pod } from "./kind-reflector-harness.ts";
import { Reading, READING_STATES, type ReadingState } from "./reading.ts";

const BROKEN = new KubeClientError("api", "broken", { status: createStatus(500, "broken") });
/** Longer than any delay before the next attempt. */
const LONG_MS = 400_000;

type Step = keyof typeof STEPS;

const STEPS = {
  start: (harness: Harness) => harness.start(),
  "a pod is created": ({ cluster }: Harness) => void cluster.put("/pods", pod("a")),
  "time passes": ({ clock }: Harness) => clock.elapse(LONG_MS),
  "the watch breaks": async ({ cluster, clock }: Harness) => {
    cluster.disconnect();
    await clock.elapse(2_000);
  },
  "lists fail": ({ cluster }: Harness) => void cluster.failing.set("/pods", BROKEN),
  "the kind is forbidden": ({ cluster }: Harness) => void cluster.forbidden.add("/pods"),
  "the kind is allowed": ({ cluster }: Harness) => void cluster.forbidden.delete("/pods"),
} satisfies Record<string, (harness: Harness) => void | Promise<void>>;

test.each<{ readonly eager: boolean; readonly steps: readonly Step[]; readonly state: ReadingState["name"] }>([
  { eager: true, steps: [], state: "reading" },
  { eager: false, steps: [], state: "probing" },
  { eager: true, steps: ["start"], state: "following" },
  { eager: true, steps: ["lists fail", "start"], state: "reading" },
  { eager: false, steps: ["start"], state: "probing" },
  { eager: false, steps: ["start", "a pod is created", "time passes"], state: "following" },
  { eager: true, steps: ["start", "a pod is created", "the watch breaks"], state: "following" },
  { eager: true, steps: ["the kind is forbidden", "start"], state: "probing" },
  { eager: false, steps: ["the kind is forbidden", "start", "time passes"], state: "probing" },
  { eager: true, steps: ["start", "the kind is forbidden", "the watch breaks"], state: "probing" },
  {
    eager: true,
    steps: ["a pod is created", "start", "the kind is forbidden", "the watch breaks", "the kind is allowed", "time passes"],
    state: "following",
  },
])("a source (eager: $eager) after $steps is $state", async ({ eager, steps, state }) => {
  const harness = new Harness({ eager });
  for (const step of steps) await STEPS[step](harness);
  expect(harness.source.reading).toBe(state);
  await harness.end();
});

test("the resource version is that of what was read, then of the last event, until it is lost", () => {
  const reading = new Reading("reading");
  const versions = [
    () => reading.read("1"),
    () => reading.advanced("2"),
    () => reading.advanced(undefined),
    () => reading.read("5"),
    () => reading.lost(),
    () => reading.read("7"),
    () => reading.refused(),
  ].map((change) => {
    change();
    return reading.resourceVersion;
  });
  expect(versions).toEqual(["1", "2", "2", "5", undefined, "7", undefined]);
});

test.each([
  { event: "found", state: "reading" },
  { event: "read", state: "probing" },
  { event: "advanced", state: "probing" },
  { event: "advanced", state: "reading" },
] as const)("$event is an error in the state $state", ({ event, state }) => {
  const reading = new Reading(state);
  expect(() => (event === "found" ? reading.found() : reading[event]("1"))).toThrow(`"${event}" cannot happen in the state "${state}"`);
});

test("losing the position leaves a source that probes where it is", () => {
  const reading = new Reading("probing");
  reading.lost();
  expect(reading.state).toBe("probing");
});

test("every state can be reached and refused", () => {
  expect(reachedStates(READING_STATES, "probing")).toEqual(Object.keys(READING_STATES).toSorted());
  for (const events of Object.values(READING_STATES)) expect(events.refused).toBe("probing");
});
