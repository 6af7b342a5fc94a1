import type { RowsSeen } from "@binnacle/proto/dashboard";
import type { Logger } from "@binnacle/telemetry";
import { words } from "@binnacle/words";

import { AgentRows, type AgentRowsContext, type AgentRowsOptions } from "./agent-rows.ts";
import { nameAsId, type RowWithId } from "./rows-change.ts";
import { hasAgent, type ConnectedEnvironment } from "../environment/connected-environment.ts";
import { deliveryOf } from "../delivery/delivery.ts";
import { toDelivery } from "../delivery/to-delivery.ts";
import type { AgentRecord, EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import { toRow } from "./environment-row.ts";
import { noAgent } from "../environment/problem.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";

/** What the rows of an index are read with. */
export interface IndexRowsContext extends AgentRowsContext {
  readonly log: Logger;
}

/** What the rows work with. */
export interface IndexRowsOptions extends Pick<AgentRowsOptions, "allIssues" | "images" | "idOf" | "changed"> {
  /** Ids of environments on the screen. */
  readonly visible: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

interface Feed {
  readonly rows: AgentRows;
  readonly stop: AbortController;
}

/** All rows of one index, by agent: each agent's are fed together, those without an agent say so. */
export class IndexRows {
  readonly #context: IndexRowsContext;
  readonly #options: IndexRowsOptions;
  readonly #feeds = new Map<string, Feed>();
  /** Environments without an agent. */
  readonly #bare = new Map<string, string>();
  #ids: ReadonlySet<string> = new Set();
  /** Agents of the environments as they were shown last, by the environment's id. */
  readonly #agents = new Map<string, AgentRecord>();
  #pending: RowWithId[] = [];

  constructor(context: IndexRowsContext, options: IndexRowsOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** These are the environments now. @returns ids of those that left */
  reconcile(found: {
    readonly viewer: MainViewer;
    readonly viewerAccess: ViewerAccess;
    readonly environments: readonly EnvironmentRecord[];
  }): string[] {
    const before = this.#ids;
    const idOf = this.#options.idOf ?? nameAsId;
    this.#ids = new Set(found.environments.map(idOf));
    const byAgent = new Map<string, ConnectedEnvironment[]>();
    for (const environment of found.environments) {
      if (!hasAgent(environment)) {
        this.#putBare(idOf(environment), environment, found.environments);
        continue;
      }
      this.#bare.delete(idOf(environment));
      this.#agents.set(idOf(environment), environment.agent);
      const id = String(environment.agent.id);
      const environments = byAgent.get(id) ?? [];
      environments.push(environment);
      byAgent.set(id, environments);
    }
    for (const [id, { stop }] of this.#feeds) {
      if (byAgent.has(id)) continue;
      stop.abort();
      this.#feeds.delete(id);
    }
    for (const [id, environments] of byAgent) {
      const known = this.#feeds.get(id)?.rows;
      if (known) known.set(environments, this.#options.visible);
      else this.#start(id, environments, found);
    }
    const removed = [...before].filter((id) => !this.#ids.has(id));
    for (const id of removed) {
      this.#bare.delete(id);
      this.#agents.delete(id);
    }
    return removed;
  }

  /** What has changed since the last time. */
  take(): { rows: RowWithId[]; seen: RowsSeen[] } {
    const changes = [...this.#feeds.values()].map(({ rows }) => rows.take());
    const rows = [...this.#pending, ...changes.flatMap((change) => change.rows)];
    this.#pending = [];
    return { rows, seen: changes.flatMap((change) => change.seen) };
  }

  /** There is no subscriber any more. */
  close(): void {
    for (const { stop } of this.#feeds.values()) stop.abort();
    this.#feeds.clear();
  }

  #putBare(id: string, environment: EnvironmentRecord, all: readonly EnvironmentRecord[]): void {
    // Without a cluster there is nothing to judge by a team's rules.
    const { team: _team, ...shown } = environment;
    const before = this.#agents.get(id);
    const was = before && { name: before.name, isElsewhere: all.some(({ agent }) => agent?.id === before.id) };
    const shape = JSON.stringify([shown, was], (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
    if (this.#bare.get(id) === shape) return;
    this.#bare.set(id, shape);
    const syncs = { state: "unknown", why: words("delivery/no-visible-agent") } as const;
    const delivery = toDelivery(deliveryOf({ deployment: environment.deployment, syncs }));
    this.#pending.push({ id, row: toRow({ environment, delivery, problem: noAgent(environment, was) }) });
  }

  #start(
    id: string,
    environments: readonly ConnectedEnvironment[],
    { viewer, viewerAccess }: { readonly viewer: MainViewer; readonly viewerAccess: ViewerAccess },
  ): void {
    const { visible, signal, ...options } = this.#options;
    const stop = new AbortController();
    const rows = new AgentRows(this.#context, { ...options, viewer, viewerAccess });
    this.#feeds.set(id, { rows, stop });
    rows.set(environments, visible);
    // Its errors end in the rows or in the log; no caller waits for it.
    void rows
      .run(AbortSignal.any([signal, stop.signal]))
      .catch((error: unknown) => this.#context.log.error({ error }, "the rows of an agent failed"));
  }
}
