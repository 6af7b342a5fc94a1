import { randomBytes } from "node:crypto";

import type { StormWorld } from "./storm-world.ts";

/** Answers in the order of the questions. */
export type Answers = readonly { readonly status: number; readonly ms: number }[];

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

/** Requests with tokens that nobody knows, all at once. */
export function unknownTokens(world: StormWorld, count: number): Promise<Answers> {
  return Promise.all(Array.from({ length: count }, () => world.ask({ agentId: 1, token: randomBytes(10).toString("hex") })));
}

/** One user opens watches; they stay until the returned function is called. @returns how many were answered 200, and how many refused */
export async function watches(
  world: StormWorld,
  of: { readonly token: string; readonly agentId: number; readonly count: number },
): Promise<{ readonly open: number; readonly refused: number; readonly end: () => void }> {
  const stop = new AbortController();
  const path = "/api/v1/pods?watch=true";
  const answers = await Promise.all(
    Array.from({ length: of.count }, () => world.ask({ agentId: of.agentId, token: of.token, path, signal: stop.signal }, 60_000)),
  );
  const open = answers.filter(({ status }) => status === 200).length;
  return { open, refused: answers.length - open, end: () => stop.abort() };
}
