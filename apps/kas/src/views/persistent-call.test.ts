import { ManualClock, reachedStates, settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { PERSISTENT_CALL_STATES, PersistentCall, type PersistentCallState } from "./persistent-call.ts";
import { FakeViewsAgent } from "./testing/views-agent.ts";
import { ViewsRouter } from "./testing/views-router.ts";
import { noViewsMetrics } from "./views-metrics.ts";

/** Longer than any delay after a failure here. */
const DELAY_MS = 2_000;

/** How an attempt ends: with an offer, or with a fault of the router. */
type Answer = "offer" | "agent_not_connected" | "tunnels_busy" | "unknown_method";

/** A call to an agent that comes and goes, on a clock that is set by hand. */
class Scene {
  readonly clock = new ManualClock(0);
  readonly agent = new FakeViewsAgent();
  readonly router = new ViewsRouter();
  readonly events: string[] = [];
  /** Calls that stand, by the metrics. */
  standing = 0;
  readonly call: PersistentCall;

  /** @param first how the first attempt ends */
  constructor(first: Answer) {
    this.answerWith(first);
    const options = {
      router: this.router,
      clock: this.clock,
      agentId: 7n,
      waitMs: 0,
      metrics: { ...noViewsMetrics, calls: (change: number) => void (this.standing += change) },
      onViolation: () => {},
      random: () => 0.5,
    };
    this.call = new PersistentCall(options, {
      up: () => this.events.push("up"),
      offeredAgain: () => this.events.push("offered again"),
      changed: () => this.events.push("changed"),
      refused: () => this.events.push("refused"),
      proved: () => {},
      updated: () => {},
      topicEnded: () => {},
    });
  }

  /** How the next attempts end. */
  answerWith(answer: Answer): void {
    this.router.agent = answer === "offer" ? this.agent : undefined;
    if (answer !== "offer") this.router.missing = answer;
  }

  /** The attempt that is in progress ends as `answer`, or the one after the delay. */
  async attempt(answer: Answer): Promise<void> {
    this.answerWith(answer);
    await this.clock.elapse(DELAY_MS);
  }
}

type Step = keyof typeof STEPS;

const STEPS = {
  "the attempt ends": () => settle(),
  "the next is accepted": (scene: Scene) => scene.attempt("offer"),
  "the next finds no tunnel": (scene: Scene) => scene.attempt("agent_not_connected"),
  "the next finds no free tunnel": (scene: Scene) => scene.attempt("tunnels_busy"),
  "the next finds no such method": (scene: Scene) => scene.attempt("unknown_method"),
  "the tunnel breaks": ({ router }: Scene) => router.breakAll(),
  "the agent breaks the rules": ({ call }: Scene) => call.violated("what a test says"),
  close: ({ call }: Scene) => call.close(),
} satisfies Record<string, (scene: Scene) => void | Promise<void>>;

interface Row {
  readonly first: Answer;
  readonly steps: readonly Step[];
  readonly state: PersistentCallState["name"];
}

const LOST: readonly Step[] = ["the attempt ends", "the tunnel breaks"];

test.each<Row>([
  { first: "offer", steps: [], state: "connecting" },
  { first: "offer", steps: ["close", "the attempt ends"], state: "closed" },
  { first: "tunnels_busy", steps: ["the attempt ends"], state: "connecting" },
  { first: "tunnels_busy", steps: ["the attempt ends", "the next finds no free tunnel"], state: "connecting" },
  { first: "tunnels_busy", steps: ["the attempt ends", "the next is accepted"], state: "connected" },
  { first: "tunnels_busy", steps: ["the attempt ends", "close", "the next is accepted"], state: "closed" },
  { first: "unknown_method", steps: ["the attempt ends"], state: "unsupported" },
  { first: "unknown_method", steps: ["the attempt ends", "close", "the next is accepted"], state: "unsupported" },
  { first: "agent_not_connected", steps: ["the attempt ends"], state: "offline" },
  { first: "agent_not_connected", steps: ["the attempt ends", "the next finds no tunnel"], state: "offline" },
  { first: "agent_not_connected", steps: ["the attempt ends", "the next finds no free tunnel"], state: "reconnecting" },
  { first: "agent_not_connected", steps: ["the attempt ends", "the next finds no such method"], state: "unsupported" },
  { first: "agent_not_connected", steps: ["the attempt ends", "the next is accepted"], state: "connected" },
  { first: "agent_not_connected", steps: ["the attempt ends", "close"], state: "closed" },
  { first: "offer", steps: ["the attempt ends"], state: "connected" },
  { first: "offer", steps: ["the attempt ends", "close"], state: "closed" },
  { first: "offer", steps: ["the attempt ends", "the agent breaks the rules"], state: "reconnecting" },
  { first: "offer", steps: LOST, state: "reconnecting" },
  { first: "offer", steps: [...LOST, "the next is accepted"], state: "connected" },
  { first: "offer", steps: [...LOST, "the next finds no free tunnel"], state: "reconnecting" },
  { first: "offer", steps: [...LOST, "the next finds no tunnel"], state: "offline" },
  { first: "offer", steps: [...LOST, "the next finds no such method"], state: "unsupported" },
  { first: "offer", steps: [...LOST, "close", "the next is accepted"], state: "closed" },
])("the first attempt ends with $first, then $steps: $state", async ({ first, steps, state }) => {
  const scene = new Scene(first);
  for (const step of steps) await STEPS[step](scene);
  expect(scene.call.state).toBe(state);
  expect(scene.standing).toBe(state === "connected" ? 1 : 0);
  scene.call.close();
  expect(scene.standing).toBe(0);
  await settle();
  scene.clock.assertIdle();
});

test("what a viewer sees of a closed call stays as it was", async () => {
  const scene = new Scene("offer");
  await settle();
  await scene.clock.elapse(1_000);
  scene.router.breakAll();
  scene.call.close();
  expect(scene.call.connection).toEqual({ state: "reconnecting", sinceMs: 1_000 });
});

test("a later offer in the same call is no new connection", async () => {
  const scene = new Scene("offer");
  await settle();
  const { sinceMs } = scene.call.connection;
  await scene.clock.elapse(1_000);
  scene.agent.conversations[0]?.say({ case: "offer", value: { engine: "engine-2", lacking: [] } });
  await settle();
  expect(scene.events).toEqual(["up", "offered again"]);
  expect(scene.call.connection).toEqual({ state: "connected", sinceMs });
  expect(scene.call.offer?.engine).toBe("engine-2");
});

test("every state can be reached, and every state but the last two can be left", () => {
  expect(reachedStates(PERSISTENT_CALL_STATES, "connecting")).toEqual(Object.keys(PERSISTENT_CALL_STATES).toSorted());
  for (const [state, events] of Object.entries(PERSISTENT_CALL_STATES))
    expect("close" in events).toBe(state !== "closed" && state !== "unsupported");
});
