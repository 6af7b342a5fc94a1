import { ViewSummary, type EnvironmentScope, type SummaryFacts, type ViewSnapshot, type ViewSource } from "@binnacle/environment-view";
import { SnapshotSchema, type Snapshot } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { toSource } from "../wire/to-proto.ts";

/** What an environment showed, and when that was last known to be so. */
export interface SeenEnvironment {
  readonly snapshot: ViewSnapshot;
  /** Milliseconds since the epoch. */
  readonly asOfMs: number;
}

/** What the environment shows now; the caller is no page, and no watch is retained for it. */
export function seenOf(scope: Pick<EnvironmentScope, "open">, nowMs: number): SeenEnvironment | undefined {
  const subscription = scope.open(() => undefined, { attention: "none" });
  const message = subscription.take();
  subscription.close();
  if (message?.kind !== "snapshot") return undefined;
  const { state, sinceMs } = message.connection;
  // What is unavailable is so since the last answer.
  return { snapshot: message, asOfMs: state === "connected" ? nowMs : sinceMs };
}

/** The same for the wire, as stale state: without a connection, and with the age of every source. */
export function toLastPicture({ snapshot, asOfMs }: SeenEnvironment): Snapshot {
  return create(SnapshotSchema, {
    nodes: [...snapshot.nodes],
    edges: [...snapshot.edges],
    health: snapshot.health,
    sources: snapshot.sources.map((source) => toSource(aged(source, asOfMs))),
    complete: snapshot.complete,
    asOf: toTimestamp(asOfMs),
  });
}

/** The same as one line of the index; `undefined` while only a part was ever known. */
export function summaryOfSeen({ snapshot, asOfMs }: SeenEnvironment): SummaryFacts | undefined {
  const summary = new ViewSummary();
  summary.apply(snapshot, asOfMs);
  return summary.lastFacts();
}

function aged(source: ViewSource, asOfMs: number): ViewSource {
  if (source.settled === undefined) return source;
  const sinceMs = Math.min(source.stale?.sinceMs ?? asOfMs, asOfMs);
  return { ...source, stale: { sinceMs, cause: "way", words: words("source/not-followed") } };
}
