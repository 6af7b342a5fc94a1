import { randomBytes } from "node:crypto";

import type { StormAnswer, StormWorld } from "./storm-world.ts";

/** Answers in the order of the questions. */
export type Answers = readonly StormAnswer[];

/** A user asks again and again, one request after the other. */
export async function steadyUser(
  world: StormWorld,
  of: { readonly token: string; readonly times: number; readonly pauseMs: number },
): Promise<Answers> {
  const answers: { status: number; ms: number }[] = [];
  for (let count = 0; count < of.times; count += 1) {
    answers.push(await world.ask({ agentId: 1, token: of.token }));
    await new Promise((resolve) => setTimeout(resolve, of.pauseMs));
  }
  return answers;
}

/** Requests with unknown tokens, all at once. */
export function unknownTokens(world: StormWorld, count: number): Promise<Answers> {
  return Promise.all(Array.from({ length: count }, () => world.ask({ agentId: 1, token: randomBytes(10).toString("hex") })));
}

const AT_ONCE = 100;

/** Unknown tokens, so many at a time, until `signal` aborts. @returns how many of them got in */
export async function lastingStorm(world: StormWorld, signal: AbortSignal): Promise<number> {
  let accepted = 0;
  while (!signal.aborted) accepted += (await unknownTokens(world, AT_ONCE)).filter(({ status }) => status === 200).length;
  return accepted;
}

/**
 * A user who comes back at the stated times, at most so many times.
 *
 * @returns his last answer, how long it took in all, and the longest time he waited for one of his answers
 */
export async function obedientUser(
  world: StormWorld,
  of: { readonly token: string; readonly times: number },
): Promise<StormAnswer & { readonly requests: number; readonly longestMs: number }> {
  const started = performance.now();
  let longestMs = 0;
  for (let requests = 1; ; requests += 1) {
    const answer = await world.ask({ agentId: 1, token: of.token });
    longestMs = Math.max(longestMs, answer.ms);
    if (answer.retryAfterSeconds === undefined || requests === of.times)
      return { ...answer, ms: performance.now() - started, requests, longestMs };
    await new Promise((resolve) => setTimeout(resolve, (answer.retryAfterSeconds ?? 0) * 1_000));
  }
}

/** One user opens watches; they stay until the returned function is called. @returns how many were answered 200, and what the others were answered */
export async function watches(
  world: StormWorld,
  of: { readonly token: string; readonly agentId: number; readonly count: number },
): Promise<{ readonly open: number; readonly refused: readonly number[]; readonly end: () => void }> {
  const stop = new AbortController();
  const path = "/api/v1/pods?watch=true";
  const answers = await Promise.all(
    Array.from({ length: of.count }, () => world.ask({ agentId: of.agentId, token: of.token, path, signal: stop.signal }, 60_000)),
  );
  const refused = answers.map(({ status }) => status).filter((status) => status !== 200);
  return { open: answers.length - refused.length, refused, end: () => stop.abort() };
}
