import { create, toBinary } from "@bufbuild/protobuf";
import { Throttle, ViewSummary, type EnvironmentScope, type ViewTable } from "@binnacle/environment-view";
import { PublishedTable } from "@binnacle/replica";
import { ScopeSummarySchema, ViewGap, type ScopeSummary } from "@binnacle/proto/kas-views";
import { timeField } from "@binnacle/proto/wire-values";
import type { Clock } from "@binnacle/rpc";

import { SourceStates } from "./source-states.ts";

/** A row of an index is no page: it changes once a second at most. */
const LIMITS = { intervalMs: 1_000, burst: 2, gapMs: 50 };
const SUMMARY = "summary";

/** Health of a scope in a line, until it is closed. */
export function openSummaryTable(scope: EnvironmentScope, clock: Clock): ViewTable {
  const table = new PublishedTable();
  const [summary, sources] = [new ViewSummary(), new SourceStates()];
  const throttle = new Throttle(clock, LIMITS, () => {
    const known = summaryOf(summary, sources);
    // Nothing is said before something is known.
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
    ...timeField("changedAt", facts.changedMs === 0 ? undefined : facts.changedMs),
    ...timeField("staleSince", staleSinceMs),
  });
}
