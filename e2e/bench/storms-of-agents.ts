import { TunnelAgent, type TunnelFailure } from "@binnacle/testing";

import type { StormWorld } from "./storm-world.ts";

/** What became of agents that all came at once. */
export interface ReturnOfAgents {
  /** When each was taken, in milliseconds after the start, in that order. */
  readonly takenMs: readonly number[];
  readonly refusals: readonly TunnelFailure[];
  /** Agents that never got in. */
  readonly left: number;
}

const DIALS_AT_ONCE = 200;
const ANSWER_MS = 60_000;
/** The wait of an agent without a time to come back. */
const UNTOLD_S = 5;

/** Agents 1 to `count` connect at once, each comes back at the stated time, until all are in or `limitMs` are over. */
export async function returnOfAgents(world: StormWorld, count: number, limitMs: number): Promise<ReturnOfAgents> {
  const started = performance.now();
  const takenMs: number[] = [];
  const refusals: TunnelFailure[] = [];
  const open: TunnelAgent[] = [];
  const waiting = Array.from({ length: count }, (_, index) => index + 1);
  const over = (): boolean => performance.now() - started > limitMs;
  const enter = async (id: number): Promise<void> => {
    while (!over()) {
      const agent = await TunnelAgent.connect(world.agentUrl, { token: `glagent-${id}`, tunnels: 1 }).catch(() => undefined);
      const failure = agent && (await firstWord(agent));
      if (agent && agent.accepted > 0) {
        open.push(agent);
        takenMs.push(performance.now() - started);
        return;
      }
      agent?.close();
      if (failure) refusals.push(failure);
      const seconds = failure?.retryAfterSeconds ?? UNTOLD_S;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000 * (1 + Math.random() / 5)));
    }
  };
  // So many sockets are dialled at once; those that wait for an answer of kas do not count.
  const entering: Promise<void>[] = [];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    entering.push(enter(id));
    if (entering.length % DIALS_AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(entering);
  for (const agent of open) agent.close();
  return { takenMs, refusals, left: count - takenMs.length };
}

/** Settles when kas has taken or refused the tunnel. */
async function firstWord(agent: TunnelAgent): Promise<TunnelFailure | undefined> {
  const end = performance.now() + ANSWER_MS;
  while (agent.accepted === 0 && agent.failures.length === 0 && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 20));
  return agent.failures[0];
}
