import { create } from "@bufbuild/protobuf";
import {
  planSources,
  openEnvironmentTable,
  VIEW_ENGINE,
  type Informers,
  type EnvironmentScope,
  type PlannedSource,
  type ViewTable,
} from "@binnacle/environment-view";
import type { ResourceKind } from "@binnacle/kube";
import type { LiveTable } from "@binnacle/live-table";
import {
  ViewScopeSchema,
  type EdgeRules,
  type EnvironmentView,
  type ViewScope as SentScope,
  type ViewSpec,
} from "@binnacle/proto/kas-views";
import { Fault, type Clock } from "@binnacle/rpc";

import type { RightsBook } from "./rights/rights-book.ts";
import type { ProvedRights } from "./rights/proved-rights.ts";
import type { RightsViews } from "./rights-views.ts";
import { edgesOfSpec, scopeOfSpec } from "./scope-of-spec.ts";
import { openChangesTable } from "./tables/changes-table.ts";
import { openNodesTable } from "./tables/nodes-table.ts";
import { openSummaryTable } from "./tables/summary-table.ts";

import type { AgentViewer } from "./viewer.ts";

/** A view that nobody reads any more stays so long. */
const LINGER_MS = 10_000;

/** What topics work with. */
export interface TopicsOptions {
  readonly informers: Informers;
  readonly book: RightsBook;
  readonly views: RightsViews;
  readonly clock: Clock;
}

/** What is asked for, when it makes sense. */
export interface AskedView {
  /** Names it: the same for all who ask for the same. */
  readonly key: string;
  readonly spec: ViewSpec;
}

/** A place at a view. */
export interface TopicPlace {
  readonly table: LiveTable;
  /** Another of the same rights stands for it from now on. */
  carry(viewer: AgentViewer): void;
  /** Call it once. */
  leave(): void;
}

interface OpenTopic {
  readonly table: LiveTable;
  readonly join: (viewer: AgentViewer) => () => void;
  readonly close: () => void;
  users: number;
  cancelClosing: () => void;
}

/** Views that somebody reads, one for each set of rights, however many calls of kas ask for it. */
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
  async prove(viewer: AgentViewer, { spec }: AskedView, signal: AbortSignal): Promise<ProvedRights> {
    const { informers, book } = this.#options;
    const discovery = await informers.discover(undefined, signal);
    return book.prove(viewer, plannedFor(spec, discovery?.kinds ?? []), signal);
  }

  /** A place at the view of these rights, which were proved for it. @throws Fault for what cannot be shown */
  join(asked: AskedView, rights: ProvedRights, viewer: AgentViewer): TopicPlace {
    const id = `${rights.id} ${asked.key}`;
    const open = this.#open.get(id) ?? this.#begin(id, asked.spec, rights);
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

  #begin(id: string, spec: ViewSpec, rights: ProvedRights): OpenTopic {
    const opened = this.#table(spec, rights);
    const open = { ...opened, users: 0, cancelClosing: () => {} };
    this.#open.set(id, open);
    return open;
  }

  #table(spec: ViewSpec, rights: ProvedRights): Pick<OpenTopic, "table" | "join" | "close"> {
    const { views, clock } = this.#options;
    const { scope, edges } = partOf(spec);
    const place = views.join({ rights, customEdges: scope === undefined ? [] : edgesOfSpec(edges) });
    const opened = scope && place.openScope(scopeOfSpec(scope));
    const shown = opened === undefined ? openNodesTable(place.client, clock) : tableOf(spec, opened.scope, clock);
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

/** Which part of the cluster a view is of, and how it is drawn; without a scope it is about the nodes. */
interface AskedPart {
  readonly scope?: SentScope;
  readonly edges?: EdgeRules | undefined;
  /** What makes it, where that matters. */
  readonly engine?: string;
}

/** @throws Fault `invalid_request` */
function partOf({ view }: ViewSpec): AskedPart {
  switch (view.case) {
    case "nodes":
      return {};
    case "summary":
      return { scope: view.value.scope ?? EVERYTHING, edges: view.value.edges };
    case "environment":
      return environmentPart(view.value);
    case "changes":
      return environmentPart(view.value.environment);
    default:
      throw new Fault("invalid_request", "no view that is known here is asked for");
  }
}

const EVERYTHING = create(ViewScopeSchema);

function environmentPart(environment: EnvironmentView | undefined): AskedPart {
  return { scope: environment?.scope ?? EVERYTHING, edges: environment?.edges, engine: environment?.engine ?? "" };
}

/** What has to be read for a view. @throws Fault for what cannot be shown */
function plannedFor(spec: ViewSpec, kinds: readonly ResourceKind[]): Pick<PlannedSource, "kind" | "namespace">[] {
  const { scope, edges, engine } = partOf(spec);
  if (scope === undefined)
    return kinds.filter(({ group, resource }) => group === "" && resource === "nodes").map((kind) => ({ kind, namespace: "" }));
  if (engine !== undefined && engine !== VIEW_ENGINE)
    throw new Fault("not_implemented", "this agent makes views in another way than the one that is asked for");
  edgesOfSpec(edges);
  return planSources(kinds, scopeOfSpec(scope));
}

function tableOf({ view }: ViewSpec, scope: EnvironmentScope, clock: Clock): ViewTable {
  if (view.case === "summary") return openSummaryTable(scope, clock);
  if (view.case === "changes") return openChangesTable(scope, view.value.of, clock);
  return openEnvironmentTable(scope);
}
