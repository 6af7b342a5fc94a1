import { randomUUID } from "node:crypto";

import { create } from "@bufbuild/protobuf";
import type { EventsTable, RemoteChange, ViewConnection, ViewScope } from "@binnacle/environment-view";
import type { CustomEdgeRule } from "@binnacle/graph";
import { LiveTable } from "@binnacle/live-table";
import { ViewSpecSchema } from "@binnacle/proto/kas-views";

import { environmentSpec } from "./environment-spec.ts";
import { followAgentView, type FollowedView } from "./follow-agent-view.ts";

/** Whoever comes back finds them as they are: a browser's stream begins anew with each of its pages. */
const LINGER_MS = 10_000;
const UTF8 = new TextEncoder();

/** What the events of an agent are followed with. */
export type AgentEventsOptions = Pick<FollowedView, "carriers" | "clock" | "log" | "refused"> & {
  readonly scope: ViewScope;
  readonly customEdges: readonly CustomEdgeRule[];
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

  /** Somebody follows them from now on. */
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

  /** Nothing is followed any more. */
  close(): void {
    this.#cancelClosing();
    this.#open?.close();
    this.#open = undefined;
  }
}

/** What the agent has said, and what is shown of it: while it begins anew what there was stays, under the same rights. */
class OpenEvents {
  readonly id = randomUUID();
  readonly table = new LiveTable();
  readonly #heard = new LiveTable();
  readonly #stop = new AbortController();
  readonly #now: () => number;
  #rights: string | undefined;
  #silentSinceMs: number | undefined;

  constructor(options: AgentEventsOptions) {
    const { scope, customEdges, clock } = options;
    this.#now = () => clock.now();
    const spec = create(ViewSpecSchema, { view: { case: "events", value: { environment: environmentSpec(scope, customEdges) } } });
    const take: FollowedView["take"] = (word) => {
      if (word.kind === "change") this.#apply(word.change);
      else if (word.isWell) this.#spoke();
      else this.#fellSilent();
    };
    void followAgentView({ ...options, spec, take, fellSilent: () => this.#fellSilent() }, this.#stop.signal); // never rejects
  }

  close(): void {
    this.#stop.abort();
    // Whoever still reads them hears that nothing comes any more, and looks for another place.
    this.#fellSilent();
  }

  #apply(change: RemoteChange): void {
    const isOther = change.reset && change.rights !== this.#rights;
    if (change.reset) this.#rights = change.rights;
    this.#heard.apply(change);
    this.#silentSinceMs = undefined;
    const isFilling = !isComplete(this.#heard);
    if (isFilling && !isOther && isComplete(this.table)) return;
    this.table.apply({ reset: true, entries: this.#heard.entries(), removed: [] });
    this.table.announce();
  }

  #spoke(): void {
    this.#silentSinceMs = undefined;
    const said = this.#heard.get("connection");
    if (said !== undefined) this.#setWay(said);
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

function isComplete(table: LiveTable): boolean {
  const said = table.get("complete");
  return said !== undefined && Buffer.from(said).toString() === "true";
}
