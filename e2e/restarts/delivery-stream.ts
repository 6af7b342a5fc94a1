import { DeliveryState, GitopsState, type Dashboard, type Delivery } from "@binnacle/proto/dashboard";
import { sleep, systemClock } from "@binnacle/rpc";
import type { Client } from "@connectrpc/connect";
import { timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";

import type { DeliveryTruth } from "./delivery-truth.ts";
import { expectedWords, short, type Knowledge } from "./expected-words.ts";

/** A delivery as `dashboard.v1` sends it, in short. */
export interface SentDelivery {
  readonly version: string;
  /** When it was applied first, in milliseconds since the epoch. */
  readonly appliedAtMs: number | undefined;
  readonly isOld: boolean;
  readonly state: string;
  readonly outcomeUnknown: boolean;
  readonly issues: readonly string[];
}

/** Follows the delivery of an environment over restarts of the server, as a page does. */
export class DeliveryStream {
  /** The newest one; undefined while there is none since the stream began. */
  #delivery: Delivery | undefined;
  readonly #leaving = new AbortController();
  readonly #running: Promise<void>;

  constructor(dashboard: Client<typeof Dashboard>, of: { readonly projectPath: string; readonly environment: string }) {
    this.#running = this.#run(dashboard, of);
  }

  async close(): Promise<void> {
    this.#leaving.abort();
    await this.#running;
  }

  /** Since when the agent's last report of its sync is known; 0 while none is. */
  get reportedAtMs(): number {
    const at = this.#delivery?.sync?.value?.syncs[0]?.reportedAt;
    return at === undefined ? 0 : timestampMs(at);
  }

  get sent(): SentDelivery | undefined {
    const { lastDeployment, sync, issues = [] } = this.#delivery ?? {};
    if (lastDeployment === undefined || sync === undefined) return undefined;
    const [first] = sync.value?.syncs ?? [];
    return {
      version: short(lastDeployment.value?.sha ?? nameOf(DeliveryState, lastDeployment.state)),
      appliedAtMs: msOf(lastDeployment.value?.at),
      isOld: sync.asOf !== undefined,
      state: first === undefined ? nameOf(DeliveryState, sync.state) : nameOf(GitopsState, first.state),
      outcomeUnknown: first?.outcomeUnknown ?? false,
      issues: issues.map(({ reason }) => reason),
    };
  }

  async #run(dashboard: Client<typeof Dashboard>, of: { readonly projectPath: string; readonly environment: string }): Promise<void> {
    const { signal } = this.#leaving;
    while (!signal.aborted) {
      try {
        for await (const { message } of dashboard.watchEnvironment(of, { signal })) {
          if (message.case === "header") this.#delivery = message.value.environment?.delivery;
          if (message.case === "delivery") this.#delivery = message.value;
        }
      } catch {
        // The server is away: the next stream tells.
      }
      this.#delivery = undefined;
      await sleep(systemClock, 100, signal);
    }
  }
}

/** The name of a number of an enum, "SYNCED". */
function nameOf(names: Readonly<Record<string, number>>, value: number): string {
  return Object.keys(names).find((name) => names[name] === value) ?? String(value);
}

function msOf(at: Timestamp | undefined): number | undefined {
  return at === undefined ? undefined : timestampMs(at);
}

const STATES: Readonly<Record<string, string>> = { Synced: "SYNCED", "Not deployed": "INVALID", "Out of sync": "OUT_OF_SYNC" };
const ISSUES: readonly (readonly [title: RegExp, reason: string])[] = [
  [/ refused$/, "SyncRefused"],
  [/prune held$/, "PruneHeld"],
];

/** What is to be sent. @param appliedAtMs as the inventory records it */
export function expectedDelivery(
  project: string,
  { truth, appliedAtMs }: { readonly truth: DeliveryTruth; readonly appliedAtMs: number },
  knowledge: Knowledge,
): SentDelivery {
  const { version, sync, issue } = expectedWords(project, truth, knowledge);
  const isNone = knowledge === "none";
  return {
    version: isNone ? "UNKNOWN" : version,
    appliedAtMs: isNone ? undefined : appliedAtMs,
    isOld: sync.isOld,
    state: isNone ? "UNKNOWN" : (STATES[sync.word] ?? "UNSPECIFIED"),
    outcomeUnknown: knowledge === "restarted" && sync.word === "Not known",
    issues: ISSUES.filter(([title]) => title.test(issue)).map(([, reason]) => reason),
  };
}
