import { Fault, sleep, systemClock } from "@binnacle/rpc";

/** One thing to wait for. */
export interface WaitOptions {
  /** "the agent is connected" */
  readonly what: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Asks again and again until there is an answer.
 *
 * @throws Fault `deadline` that says what did not come true, with the last error as its cause
 */
export async function waitUntil<T>(attempt: () => Promise<T | undefined>, options: WaitOptions): Promise<T> {
  const deadline = systemClock.now() + options.timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await attempt();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    options.signal.throwIfAborted();
    if (systemClock.now() > deadline) {
      const because = last instanceof Error ? ` (${last.message})` : "";
      throw new Fault("deadline", `waited ${options.timeoutMs / 1000} s in vain until ${options.what}${because}`, { cause: last });
    }
    await sleep(systemClock, 200, options.signal);
  }
}
