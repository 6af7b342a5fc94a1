import { once } from "node:events";
import { connect, type ClientHttp2Session } from "node:http2";

import { clientSessionOptions, NO_METADATA } from "@binnacle/grpc-wire";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, reachedStates, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { FakeKas } from "../testing/fake-kas.ts";
import { POOL_STATES, type PoolState, TunnelPool } from "./tunnel-pool.ts";

const REFUSAL = { code: 14, message: "not now" };
/** Longer than any delay after a refusal here. */
const DELAY_MS = 1_000;

let kas: FakeKas;
let scene: Scene;

beforeEach(async () => {
  kas = await FakeKas.listen();
  scene = new Scene();
});

afterEach(async () => {
  await scene.end();
  await kas.close();
});

/** A pool with a link whose sessions the test opens, on a clock that is set by hand. */
class Scene {
  readonly clock = new ManualClock();
  readonly #stop = new AbortController();
  #session: ClientHttp2Session | undefined;
  #onSession = (_session: ClientHttp2Session): void => {};
  readonly pool: TunnelPool;
  readonly #running: Promise<void>;

  constructor() {
    const session = (): ClientHttp2Session | undefined => this.#session;
    this.pool = new TunnelPool({
      link: {
        get session() {
          return session();
        },
        onSession: (listener) => {
          this.#onSession = listener;
          return () => {};
        },
      },
      metadata: { get: () => NO_METADATA, refused: () => {} },
      methods: new Map(),
      clock: this.clock,
      log: createLogger("test", "silent"),
      graceMs: 1_000,
      size: { start: 1, minIdle: 1, max: 4, idleExpiryMs: 60_000 },
      backoff: { initialMs: 500, maxMs: 500, random: () => 1 },
    });
    this.#running = this.pool.run(this.#stop.signal);
  }

  /** The link has a session again. */
  async connect(): Promise<void> {
    const session = connect(`http://127.0.0.1:${kas.port}`, clientSessionOptions());
    await once(session, "connect");
    this.#session = session;
    this.#onSession(session);
  }

  /** The link has lost its session. */
  disconnect(): void {
    this.#session?.destroy();
    this.#session = undefined;
  }

  async drain(): Promise<void> {
    await this.pool.drain(AbortSignal.abort());
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    if (this.pool.state !== "closed") await this.pool.close();
    this.disconnect();
  }
}

type Step = keyof typeof STEPS;

/** What a test does, each until the pool has noticed. */
const STEPS = {
  "kas refuses": async ({ pool }: Scene) => {
    kas.refuse = REFUSAL;
    for (const tunnel of kas.tunnels) if (tunnel.open) tunnel.end(REFUSAL);
    await until(() => pool.state === "waiting");
  },
  "kas accepts": async () => void (kas.refuse = undefined),
  "the link connects": (scene: Scene) => scene.connect(),
  "the link is lost": async (scene: Scene) => scene.disconnect(),
  "the delay is over": async ({ clock }: Scene) => clock.advance(DELAY_MS),
  "the tunnel is accepted": ({ pool }: Scene) => until(() => pool.state === "filling"),
  "the tunnel is refused": ({ pool }: Scene) => until(() => pool.state === "waiting"),
  drain: (scene: Scene) => scene.drain(),
  close: ({ pool }: Scene) => pool.close(),
} satisfies Record<string, (scene: Scene) => Promise<void>>;

const REFUSED: readonly Step[] = ["the link connects", "kas refuses"];

test.each<{ readonly steps: readonly Step[]; readonly state: PoolState["name"] }>([
  { steps: [], state: "filling" },
  { steps: REFUSED, state: "waiting" },
  { steps: [...REFUSED, "the delay is over"], state: "probing" },
  { steps: [...REFUSED, "the delay is over", "the tunnel is refused"], state: "waiting" },
  { steps: [...REFUSED, "kas accepts", "the delay is over", "the tunnel is accepted"], state: "filling" },
  { steps: [...REFUSED, "the link connects"], state: "probing" },
  { steps: [...REFUSED, "the delay is over", "the link connects"], state: "probing" },
  { steps: [...REFUSED, "the link is lost", "the delay is over"], state: "waiting" },
  { steps: [...REFUSED, "the link is lost", "the delay is over", "the link connects"], state: "probing" },
  { steps: ["drain"], state: "draining" },
  { steps: [...REFUSED, "drain", "the delay is over"], state: "draining" },
  { steps: [...REFUSED, "the delay is over", "drain", "the link connects"], state: "draining" },
  { steps: ["drain", "close"], state: "closed" },
  { steps: ["close"], state: "closed" },
])("after $steps the pool is $state", async ({ steps, state }) => {
  for (const step of steps) await STEPS[step](scene);
  expect(scene.pool.state).toBe(state);
});

test("a change that the table does not have is an error", async () => {
  await scene.pool.close();
  await expect(scene.drain()).rejects.toThrow('"drain" cannot happen in the state "closed"');
});

test("every state but the last can be left, and every state can be reached", () => {
  expect(reachedStates(POOL_STATES, "filling")).toEqual(Object.keys(POOL_STATES).toSorted());
  for (const [state, events] of Object.entries(POOL_STATES)) expect("close" in events).toBe(state !== "closed");
});
