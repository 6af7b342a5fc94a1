import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext } from "@connectrpc/connect";
import { ConnectionState, EnvironmentHealthSchema } from "@binnacle/proto/dashboard";
import {
  NodeSummarySchema,
  ScopeSummarySchema,
  ViewGap,
  Views,
  ViewSpecSchema,
  type NodeSummary,
  type ScopeSummary,
  type ViewQuery,
  type ViewScope,
  type ViewSpec,
} from "@binnacle/proto/kas-views";
import { readMessage } from "@binnacle/proto/read-message";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Fault, sleep, type Clock } from "@binnacle/rpc";
import { toConnectError } from "@binnacle/rpc/connect-error";
import type { Logger } from "@binnacle/telemetry";

import { entryChanges, type EntryState } from "../views/entry-changes.ts";
import type { ViewAccess, ViewHub } from "../views/view-hub.ts";

/** Views that the main application gets without a user: an operator's choice (`api.views`). */
type ServedView = "nodes" | "summary";

/** What the service needs. */
export interface ViewsServiceOptions {
  readonly hub: ViewHub;
  readonly clock: Clock;
  readonly log: Logger;
  /** Views that are served as the agent itself sees them. */
  readonly served: readonly ServedView[];
  /** How long a question waits for its answer. */
  readonly waitMs: number;
}

/** A share of a caller's deadline that is left for the way back. */
const WAY_BACK = 0.1;
/** Key of the one entry of both views. */
const SUMMARY = "summary";

/** The query of one of the views, and its presentation. */
interface Question<T> {
  readonly view: ServedView;
  readonly spec: ViewSpec;
  readonly query: ViewQuery | undefined;
  /** @param asAgent there is no viewer: counts, no names and no text of the cluster */
  readonly show: (state: EntryState, asAgent: boolean) => T;
}

/** `kas.v1.Views` for the main application, whose JWT the listener has checked: numbers of clusters without a watch of its own. */
export function viewsService(options: ViewsServiceOptions): (router: ConnectRouter) => void {
  const nodesOf = (query: ViewQuery | undefined): Question<NodeSummary> => ({
    view: "nodes",
    query,
    spec: create(ViewSpecSchema, { view: { case: "nodes", value: {} } }),
    show: nodesShown,
  });
  const summaryOf = (query: ViewQuery | undefined, scope: ViewScope | undefined): Question<ScopeSummary> => ({
    view: "summary",
    query,
    spec: create(ViewSpecSchema, { view: { case: "summary", value: scope === undefined ? {} : { scope } } }),
    show: summaryShown,
  });
  return (router) => {
    router.service(Views, {
      getNodes: async ({ query }, context) => ({ nodes: await first(nodesOf(query), context, options) }),
      getSummary: async ({ query, scope }, context) => ({ summary: await first(summaryOf(query, scope), context, options) }),
      async *watchNodes({ query }, context) {
        for await (const nodes of all(nodesOf(query), context.signal, options)) yield { nodes };
      },
      async *watchSummary({ query, scope }, context) {
        for await (const summary of all(summaryOf(query, scope), context.signal, options)) yield { summary };
      },
    });
  };
}

/** What is known when something is, or when the caller would not wait any longer. */
async function first<T>(question: Question<T>, context: HandlerContext, options: ViewsServiceOptions): Promise<T> {
  const waitMs = Math.min(options.waitMs, (context.timeoutMs() ?? Number.POSITIVE_INFINITY) * (1 - WAY_BACK));
  const enough = new AbortController();
  void sleep(options.clock, waitMs, AbortSignal.any([context.signal, enough.signal])).then(() => enough.abort());
  try {
    const { access, asAgent } = checked(question, context.signal, options);
    const query = { access: { ...access, waitMs }, spec: question.spec, key: SUMMARY, enough: enough.signal };
    let last: EntryState = {};
    for await (const state of entryChanges(options.hub, query)) {
      last = state;
      if (state.value !== undefined) break;
    }
    return question.show(last, asAgent);
  } catch (error) {
    throw reported(error, options.log);
  } finally {
    enough.abort();
  }
}

async function* all<T>(question: Question<T>, signal: AbortSignal, options: ViewsServiceOptions): AsyncGenerator<T, void> {
  try {
    const { access, asAgent } = checked(question, signal, options);
    for await (const state of entryChanges(options.hub, { access, spec: question.spec, key: SUMMARY })) yield question.show(state, asAgent);
  } catch (error) {
    throw reported(error, options.log);
  }
}

/** @throws Fault `invalid_request`, `environment_forbidden` */
function checked<T>(
  { query, view }: Question<T>,
  signal: AbortSignal,
  { served }: ViewsServiceOptions,
): { readonly access: ViewAccess; readonly asAgent: boolean } {
  if (query === undefined || query.agentId <= 0n) throw new Fault("invalid_request", "an agent must be named");
  const { agentId, viewer } = query;
  const identity = viewer?.identity;
  if (viewer !== undefined && identity === undefined) throw new Fault("invalid_request", "a viewer needs an identity");
  // Users of the main application are called otherwise; these are the cluster's own.
  if (identity !== undefined && [identity.username, ...identity.groups].some((name) => name.startsWith("system:")))
    throw new Fault("invalid_request", "a viewer is a user of the main application, not one of the cluster itself (system:)");
  if (identity === undefined && !served.includes(view))
    throw new Fault("environment_forbidden", `the operator of kas does not allow ${view} without a viewer (api.views): name a viewer`);
  return { access: { agentId, ...(identity && { identity }), signal }, asAgent: identity === undefined };
}

function nodesShown({ value, connection }: EntryState): NodeSummary {
  const summary = value && readMessage(NodeSummarySchema, value);
  return summary === undefined ? create(NodeSummarySchema, { gap: ViewGap.LOADING }) : staleUnless(connection, summary);
}

function summaryShown({ value, connection }: EntryState, asAgent: boolean): ScopeSummary {
  const read = value && readMessage(ScopeSummarySchema, value);
  if (read === undefined) return create(ScopeSummarySchema, { gap: ViewGap.LOADING });
  const summary = staleUnless(connection, read);
  const { health } = summary;
  if (asAgent) {
    delete summary.deployers;
    summary.images = [];
    summary.moreImages = 0;
  }
  if (!asAgent || health === undefined) return summary;
  const { status, partial, counts, issuesTotal, resourcesTotal } = health;
  summary.health = create(EnvironmentHealthSchema, { status, partial, counts, issuesTotal, resourcesTotal });
  return summary;
}

/** A number is stale while the connection to its agent is broken. */
function staleUnless<T extends NodeSummary | ScopeSummary>(connection: EntryState["connection"], summary: T): T {
  if (connection === undefined || connection.state === ConnectionState.CONNECTED || summary.staleSince !== undefined) return summary;
  summary.staleSince = connection.since ?? toTimestamp(0);
  return summary;
}

function reported(error: unknown, log: Logger): Error {
  if (!(error instanceof Fault)) log.error({ error }, "answering a query of a view failed");
  return toConnectError(error);
}
