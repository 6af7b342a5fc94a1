import { create, toBinary } from "@bufbuild/protobuf";
import {
  changeOf,
  Throttle,
  ViewSummary,
  type EnvironmentScope,
  type ViewTable,
  type ViewConnection,
  type ViewMessage,
  type ViewSource,
} from "@binnacle/environment-view";
import { PublishedTable } from "@binnacle/replica";
import { RunningImageSchema } from "@binnacle/proto/dashboard";
import { ScopeSummarySchema, ViewGap, type ScopeSummary } from "@binnacle/proto/kas-views";
import { timeField } from "@binnacle/proto/wire-values";
import type { Clock } from "@binnacle/rpc";

/** A row of an index is no page: it changes once a second at most. */
const LIMITS = { intervalMs: 1_000, burst: 2, gapMs: 50 };
const SUMMARY = "summary";

/** Health of a scope in a line, until it is closed. */
export function openSummaryTable(scope: EnvironmentScope, clock: Clock): ViewTable {
  const table = new PublishedTable();
  const [summary, sources] = [new ViewSummary(), new SourceStates()];
  const throttle = new Throttle(clock, LIMITS, () => {
    const known = summaryOf(summary, sources);
    // Nothing is published before something is known.
    if (known === undefined) return;
    table.put(SUMMARY, toBinary(ScopeSummarySchema, known));
    table.announce();
  });
  const subscription = scope.open(
    () => {
      const message = subscription.take();
      if (message === undefined) return;
      summary.apply(message, clock.now());
      sources.apply(message);
      throttle.ask();
    },
    { attention: "row" },
  );
  return {
    table,
    close: () => {
      subscription.close();
      throttle.stop();
    },
  };
}

function summaryOf(summary: ViewSummary, sources: SourceStates): ScopeSummary | undefined {
  const facts = summary.facts() ?? summary.lastFacts();
  if (facts === undefined) return undefined;
  const gap = sources.gap();
  if (gap !== ViewGap.UNSPECIFIED) return create(ScopeSummarySchema, { gap });
  const staleSinceMs = sources.staleSinceMs();
  return create(ScopeSummarySchema, {
    health: facts.health,
    workloads: facts.workloads,
    workloadsReady: facts.workloadsReady,
    workloadsSuspended: facts.workloadsSuspended,
    ...(facts.workloadsDown !== undefined && { workloadsDown: facts.workloadsDown }),
    ...(facts.deployers !== undefined && { deployers: { tools: [...facts.deployers.tools], more: facts.deployers.more } }),
    images: (facts.images?.images ?? []).map(({ image, workloads, sinceMs }) =>
      create(RunningImageSchema, { image, workloads, ...timeField("since", sinceMs === 0 ? undefined : sinceMs) }),
    ),
    moreImages: facts.images?.more ?? 0,
    ...timeField("changedAt", facts.changedMs === 0 ? undefined : facts.changedMs),
    ...timeField("staleSince", staleSinceMs),
  });
}

/** How well a scope is seen, from the messages of its view: of the kinds that its health is made of. */
class SourceStates {
  readonly #sources = new Map<string, ViewSource>();
  #connection: ViewConnection | undefined;

  /** Takes in a message of the view. */
  apply(message: ViewMessage): void {
    const { reset, sources, removedSources } = changeOf(message);
    if (reset) this.#sources.clear();
    for (const source of sources) this.#sources.set(source.id, source);
    for (const id of removedSources) this.#sources.delete(id);
    this.#connection = message.connection ?? this.#connection;
  }

  /** Why nothing is known, where that is so of all sources. */
  gap(): ViewGap {
    const settled = this.#counting().map((source) => source.settled);
    if (settled.length === 0 || settled.some((state) => state === "live" || state === undefined)) return ViewGap.UNSPECIFIED;
    if (settled.every((state) => state === "forbidden" || state === "unserved")) return ViewGap.FORBIDDEN;
    if (settled.every((state) => state === "error")) return ViewGap.FAILED;
    return settled.includes("truncated") ? ViewGap.TOO_LARGE : ViewGap.UNSPECIFIED;
  }

  /** Since when nothing vouches for it; `undefined` while it is current, but for kinds that fail: for want of those it is partial. */
  staleSinceMs(): number | undefined {
    const since = this.#counting().flatMap(({ stale }) => (stale?.cause === "way" ? [stale.sinceMs] : []));
    if (this.#connection !== undefined && this.#connection.state !== "connected") since.push(this.#connection.sinceMs);
    return since.length === 0 ? undefined : Math.min(...since);
  }

  #counting(): ViewSource[] {
    return [...this.#sources.values()].filter(({ countsForHealth }) => countsForHealth);
  }
}
