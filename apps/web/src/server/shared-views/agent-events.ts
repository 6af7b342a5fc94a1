import { randomUUID } from "node:crypto";

import type { EventsTable, ViewConnection, ViewScope } from "@binnacle/environment-view";
import { PublishedTable, Replica, type ReplicaChange } from "@binnacle/replica";

import { eventsSpec, type SpecRules } from "./environment-spec.ts";
import { FollowedAgentView, type FollowedView } from "./followed-agent-view.ts";

/** A returning viewer finds them as they are: a browser's stream begins anew with each of its pages. */
const LINGER_MS = 10_000;
const UTF8 = new TextEncoder();

/** What the events of an agent are followed with. */
export type AgentEventsOptions = Pick<FollowedView, "carriers" | "clock" | "log" | "refused"> & {
  readonly scope: ViewScope;
  /** As they are now: the agent has one view of a scope for events and for what its page shows. */
  readonly rules: () => SpecRules;
};

/** Events of one environment as its agent keeps them, with the agent's own life, for all who follow them here. */
export class AgentEvents {
  readonly #options: AgentEventsOptions;
  #open: OpenEvents | undefined;
  #followers = 0;
  #cancelClosing = (): void => {};

  constructor(options: AgentEventsOptions) {
    this.#options = options;
  }

  /** They have a subscriber from now on. */
  open(): EventsTable {
    const open = (this.#open ??= new OpenEvents(this.#options));
    this.#followers += 1;
    this.#cancelClosing();
    return {
      id: open.id,
      table: open.table,
      close: () => {
        this.#followers -= 1;
        if (this.#followers === 0) this.#cancelClosing = this.#options.clock.after(LINGER_MS, () => this.close());
      },
    };
  }

  /** Other rules are in force: the agent gets a new request, and the shown events stay meanwhile. */
  askAgain(): void {
    this.#open?.askAgain();
  }

  /** Nothing is followed any more. */
  close(): void {
    this.#cancelClosing();
    this.#open?.close();
    this.#open = undefined;
  }
}

/** Replica of the agent's events, and what is shown of it: during a resync the earlier events stay, under the same rights. */
class OpenEvents {
  readonly id = randomUUID();
  readonly table = new PublishedTable();
  readonly #replica = new Replica({ isComplete: (table) => Buffer.from(table.get("complete") ?? []).toString() === "true" });
  readonly #followed: FollowedAgentView;
  readonly #now: () => number;
  #silentSinceMs: number | undefined;

  constructor(options: AgentEventsOptions) {
    const { scope, rules, clock } = options;
    this.#now = () => clock.now();
    this.#followed = new FollowedAgentView({
      ...options,
      spec: () => eventsSpec(scope, rules()),
      apply: (change) => this.#apply(change),
      spoke: () => this.#spoke(),
      fellSilent: () => this.#fellSilent(),
    });
  }

  askAgain(): void {
    this.#followed.askAgain();
  }

  close(): void {
    this.#followed.close();
    // Remaining readers are notified that the stream has ended, and join again.
    this.#fellSilent();
  }

  #apply(change: ReplicaChange): void {
    if (!this.#replica.receive(change)) return;
    this.#silentSinceMs = undefined;
    if (this.#replica.state === "pending") return;
    this.table.apply({ reset: true, entries: this.#replica.table.entries(), removed: [] });
    this.table.announce();
  }

  #spoke(): void {
    this.#silentSinceMs = undefined;
    const connection = this.#replica.table.get("connection");
    if (connection !== undefined) this.#setWay(connection);
  }

  #fellSilent(): void {
    this.#silentSinceMs ??= this.#now();
    const state = this.table.size === 0 ? "connecting" : "reconnecting";
    this.#setWay(UTF8.encode(JSON.stringify({ state, sinceMs: this.#silentSinceMs } satisfies ViewConnection)));
  }

  #setWay(connection: Uint8Array): void {
    this.table.put("connection", connection);
    this.table.announce();
  }
}
