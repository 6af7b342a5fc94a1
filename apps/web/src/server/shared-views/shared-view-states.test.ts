import { ManualClock, reachedStates } from "@binnacle/testing";
import { expect, test } from "vitest";

import { SCOPE_USE_STATES, ScopeUse, SHARED_VIEW_STATES, type ScopeUseState } from "./shared-view-states.ts";

const LINGER_MS = 1_000;

/** The use of a scope that is closed some time after it was left. */
class Scene {
  readonly clock = new ManualClock(0);
  readonly use = new ScopeUse();

  leave(): void {
    this.use.leave(() => this.clock.after(LINGER_MS, () => this.use.close()));
  }
}

type Step = keyof typeof STEPS;

const STEPS = {
  join: ({ use }: Scene) => use.join(),
  leave: (scene: Scene) => scene.leave(),
  close: ({ use }: Scene) => use.close(),
  wait: ({ clock }: Scene) => clock.advance(LINGER_MS),
  "cancel closing": ({ use }: Scene) => use.cancelClosing(),
} satisfies Record<string, (scene: Scene) => void>;

test.each<{ readonly steps: readonly Step[]; readonly state: ScopeUseState["name"] }>([
  { steps: [], state: "viewed" },
  { steps: ["join", "leave"], state: "viewed" },
  { steps: ["leave"], state: "left" },
  { steps: ["leave", "wait"], state: "closed" },
  { steps: ["leave", "close", "wait"], state: "closed" },
  { steps: ["leave", "join"], state: "viewed" },
  { steps: ["leave", "join", "wait"], state: "viewed" },
  { steps: ["leave", "join", "leave"], state: "left" },
  { steps: ["leave", "cancel closing", "wait"], state: "left" },
  { steps: ["join", "close"], state: "replaced" },
  { steps: ["join", "close", "leave", "leave", "wait"], state: "replaced" },
])("after $steps a scope is $state", ({ steps, state }) => {
  const scene = new Scene();
  for (const step of steps) STEPS[step](scene);
  expect(scene.use.state).toBe(state);
});

test.each<{ readonly steps: readonly Step[]; readonly event: string }>([
  { steps: ["close", "join"], event: '"join" cannot happen in the state "replaced"' },
  { steps: ["close", "close"], event: '"close" cannot happen in the state "replaced"' },
  { steps: ["leave", "close", "join"], event: '"join" cannot happen in the state "closed"' },
])("$event", ({ steps, event }) => {
  const scene = new Scene();
  const run = (): void => steps.forEach((step) => STEPS[step](scene));
  expect(run).toThrow(event);
});

test("every state can be reached", () => {
  expect(reachedStates(SCOPE_USE_STATES, "viewed")).toEqual(Object.keys(SCOPE_USE_STATES).toSorted());
  expect(reachedStates(SHARED_VIEW_STATES, "idle")).toEqual(Object.keys(SHARED_VIEW_STATES).toSorted());
});

test("a view runs from its first subscriber on, and is closed once", () => {
  expect(SHARED_VIEW_STATES.running).toEqual({ close: "closed" });
  expect(SHARED_VIEW_STATES.closed).toEqual({});
});
