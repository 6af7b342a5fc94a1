import { Fault } from "@binnacle/rpc";
import { ManualClock, settle } from "@binnacle/testing";
import { expect, test } from "vitest";

import { CredentialAdmission } from "./credential-admission.ts";

const AGENTS = 6_000;
const STEP_MS = 100;
const LIMIT_MS = 150_000;
const never = new AbortController().signal;

interface Return {
  /** When the last agent was let in, in milliseconds after all had come. */
  readonly lastMs: number;
  readonly served: number;
  readonly questions: number;
  /** How many came back in each second. */
  readonly comingBack: readonly number[];
  /** Refused without a word about when to come back. */
  readonly untold: number;
}

/** All agents connect at once; a rejected agent retries at its retry time. */
async function returnOfAgents(options: { readonly known: boolean }): Promise<Return> {
  const clock = new ManualClock();
  const admission = new CredentialAdmission({
    clock,
    rate: { perSecond: 50, burst: 250 },
    failures: { perAddress: { perMinute: 30, burst: 60 }, inAll: { perMinute: 600, burst: 600 } },
  });
  let questions = 0;
  const ask = (agent: number) => {
    // All behind one balancer: their address tells them not apart.
    const caller = { lane: "agents", credential: ["agent", String(agent)], address: "192.0.2.1", signal: never } as const;
    return admission.ask(caller, async () => void (questions += 1));
  };
  if (options.known) {
    for (let agent = 0; agent < AGENTS; agent += 1) {
      await ask(agent);
      clock.advance(20);
    }
    clock.advance(60_000);
  }
  const startMs = clock.now();
  const due = new Map<number, number[]>([[0, Array.from({ length: AGENTS }, (_, agent) => agent)]]);
  const comingBack = Array.from({ length: 400 }, () => 0);
  const result = { lastMs: 0, served: 0, untold: 0 };
  const attempt = async (agent: number): Promise<void> => {
    try {
      await ask(agent);
      result.served += 1;
      result.lastMs = clock.now() - startMs;
    } catch (error) {
      const seconds = error instanceof Fault ? error.retryAfterSeconds : undefined;
      if (seconds === undefined) result.untold += 1;
      const atMs = clock.now() - startMs + (seconds ?? 1) * 1_000;
      const step = Math.ceil(atMs / STEP_MS);
      due.set(step, [...(due.get(step) ?? []), agent]);
      comingBack[Math.floor(atMs / 1_000)] = (comingBack[Math.floor(atMs / 1_000)] ?? 0) + 1;
    }
  };
  questions = 0;
  for (let step = 0; step * STEP_MS <= LIMIT_MS && result.served < AGENTS; step += 1) {
    for (const agent of due.get(step) ?? []) void attempt(agent);
    clock.advance(STEP_MS);
    await settle();
  }
  return { ...result, questions, comingBack };
}

test.each([{ known: true }, { known: false }])(
  "KB4: 6,000 agents that return at once ($known: known) are all accepted within 150 s, each with a retry time",
  async (options) => {
    const { served, lastMs, questions, untold, comingBack } = await returnOfAgents(options);
    expect(untold).toBe(0);
    expect(served).toBe(AGENTS);
    expect(lastMs).toBeLessThanOrEqual(LIMIT_MS);
    expect(questions).toBe(AGENTS);
    expect(Math.max(...comingBack)).toBeLessThanOrEqual(150);
  },
);
