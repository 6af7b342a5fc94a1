import { openEnvironmentTable, planSources, type EnvironmentScope, type Informers, type ViewTable } from "@binnacle/environment-view";
import type { PublishedTable } from "@binnacle/replica";
import type { Clock } from "@binnacle/rpc";

import type { AgentEvents } from "../agent-events/agent-events.ts";
import type { ViewRequest } from "./view-request.ts";
import type { RightsBook, RightsProof } from "./rights/rights-book.ts";
import type { ProvedRights } from "./rights/proved-rights.ts";
import type { RightsViews } from "./rights-views.ts";
import { openChangesTable } from "./tables/changes-table.ts";
import { openEventsTable } from "./tables/events-table.ts";
import { openNodesTable } from "./tables/nodes-table.ts";
import { openSummaryTable } from "./tables/summary-table.ts";
import type { AgentViewer } from "./viewer.ts";

/** A view without readers stays open for this long. */
const LINGER_MS = 10_000;

/** What topics work with. */
export interface TopicsOptions {
  readonly informers: Informers;
  readonly book: RightsBook;
  readonly views: RightsViews;
  readonly clock: Clock;
  /** Sent with events. */
  readonly agentEvents: AgentEvents;
}

/** A place at a view. */
export interface TopicPlace {
  readonly table: PublishedTable;
  /** Another of the same rights stands for it from now on. */
  carry(viewer: AgentViewer): void;
  /** Call it once. */
  leave(): void;
}

interface OpenTopic {
  readonly table: PublishedTable;
  readonly join: (viewer: AgentViewer) => () => void;
  readonly close: () => void;
  users: number;
  cancelClosing: () => void;
}

/** Views with readers, one for each set of rights, shared by all calls of kas. */
export class Topics {
  readonly #options: TopicsOptions;
  readonly #open = new Map<string, OpenTopic>();

  constructor(options: TopicsOptions) {
    this.#options = options;
  }

  /** How many there are. */
  get size(): number {
    return this.#open.size;
  }

  /** What a viewer may read of a view. @throws Fault, KubeClientError */
  async prove(viewer: AgentViewer, { part }: ViewRequest, signal: AbortSignal): Promise<RightsProof> {
    const { informers, book } = this.#options;
    const { kinds } = (await informers.discover(undefined, signal)) ?? { kinds: [] };
    const nodes = kinds.filter(({ group, resource }) => group === "" && resource === "nodes");
    return book.prove(viewer, part === undefined ? nodes.map((kind) => ({ kind, namespace: "" })) : planSources(kinds, part.scope));
  }

  /** A place at the view of these rights, which were proved for it. */
  join(request: ViewRequest, rights: ProvedRights, viewer: AgentViewer): TopicPlace {
    const id = `${rights.id} ${request.key}`;
    const open = this.#open.get(id) ?? this.#begin(id, request, rights);
    open.users += 1;
    open.cancelClosing();
    let leaveCarriers = open.join(viewer);
    return {
      table: open.table,
      carry: (other) => {
        const join = open.join(other);
        leaveCarriers();
        leaveCarriers = join;
      },
      leave: () => {
        leaveCarriers();
        open.users -= 1;
        if (open.users === 0) open.cancelClosing = this.#options.clock.after(LINGER_MS, () => this.#close(id));
      },
    };
  }

  /** Ends all. */
  close(): void {
    for (const id of this.#open.keys()) this.#close(id);
  }

  #begin(id: string, request: ViewRequest, rights: ProvedRights): OpenTopic {
    const open = { ...this.#table(request, rights), users: 0, cancelClosing: () => {} };
    this.#open.set(id, open);
    return open;
  }

  #table({ view, part }: ViewRequest, rights: ProvedRights): Pick<OpenTopic, "table" | "join" | "close"> {
    const { views } = this.#options;
    const place = views.join({ rights, customEdges: part?.edges ?? [], rules: part?.rules });
    const opened = part && place.openScope(part.scope);
    const shown = opened === undefined ? openNodesTable(place.client, this.#options.clock) : tableOf(view, opened.scope, this.#options);
    return {
      table: shown.table,
      join: ({ client }) => place.carriers.join(client),
      close: () => {
        shown.close();
        opened?.leave();
        place.leave();
      },
    };
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    open.cancelClosing();
    open.close();
  }
}

function tableOf(view: ViewRequest["view"], scope: EnvironmentScope, { clock, agentEvents }: TopicsOptions): ViewTable {
  if (view.case === "summary") return openSummaryTable(scope, clock);
  if (view.case === "changes") return openChangesTable(scope, view.value.of, clock);
  if (view.case === "events") return openEventsTable(scope, agentEvents);
  return openEnvironmentTable(scope);
}
