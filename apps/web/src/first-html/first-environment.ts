import type { Dashboard, SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { settlesWithin, type Clock } from "@binnacle/rpc";
import type { Client } from "@connectrpc/connect";
import { LATE_MS, WAIT_MS } from "./wait.ts";

/** What the page of an environment is sent with. */
export interface FirstEnvironment {
  /** What was known in time; `undefined` when nothing was. */
  readonly first: SummarizeEnvironmentResponse | undefined;
  /** All of it, when it was not known in time: comes within seconds, `undefined` when nothing has. Never rejects. */
  readonly later: Promise<SummarizeEnvironmentResponse | undefined> | undefined;
}

/** Asks for the summary of an environment, and waits 300 ms for it. What fails here the page's own stream says in its words. */
export async function firstEnvironment(
  dashboard: Pick<Client<typeof Dashboard>, "summarizeEnvironment">,
  names: { readonly projectPath: string; readonly environment: string },
  clock: Clock,
): Promise<FirstEnvironment> {
  const over = new AbortController();
  const cancel = clock.after(LATE_MS, () => over.abort());
  let known: SummarizeEnvironmentResponse | undefined;
  const read = async (): Promise<SummarizeEnvironmentResponse | undefined> => {
    try {
      for await (const message of dashboard.summarizeEnvironment(names, { signal: over.signal })) known = message;
    } catch {
      // What has come is as good as before.
    }
    cancel();
    return known;
  };
  const all = Promise.race([read(), aborted(over.signal).then(() => known)]);
  const inTime = await settlesWithin(all, WAIT_MS, clock);
  return { first: known, later: inTime ? undefined : all };
}

/** A call that does not hear of its signal is not waited for either. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
