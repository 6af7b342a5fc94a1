import { words } from "@binnacle/words";

import type { ViewSource, ViewStaleness } from "../stream/view-model.ts";
import type { ConnectionMonitor } from "../reflector/connection-monitor.ts";
import type { Coverage } from "./kind-authorities.ts";
import { countsForHealth } from "../scope/kind-plan.ts";
import type { KindReflectorState } from "../reflector/kind-reflector-options.ts";
import type { PlannedSource } from "./source-plan.ts";

type Connection = Pick<ConnectionMonitor, "connection" | "answeredAtMs">;

/** What a scope says of one of its sources. */
export function describeSource({ id, kind, namespace, role }: PlannedSource, { state, shown }: Coverage, monitor: Connection): ViewSource {
  const stale = stalenessOf(state, monitor);
  return {
    id,
    group: kind.group,
    version: kind.version,
    resource: kind.resource,
    kind: kind.kind,
    namespace,
    ...(state.settled === undefined ? {} : { settled: state.settled }),
    ...(stale === undefined ? {} : { stale }),
    ...(state.asOfMs === undefined ? {} : { asOfMs: state.asOfMs }),
    shown,
    total: state.total,
    ...(state.words === undefined ? {} : { words: state.words }),
    ...(state.retryAtMs === undefined ? {} : { retryAtMs: state.retryAtMs }),
    countsForHealth: role === "scope" && countsForHealth(kind),
  };
}

/** Stands for all kinds that are more than a scope reads. */
export function describeUnplanned(count: number): ViewSource {
  return {
    id: "/*/",
    group: "",
    version: "",
    resource: "*",
    kind: "*",
    namespace: "",
    settled: "error",
    shown: 0,
    total: 0,
    words: words("source/more-kinds", { count }),
    countsForHealth: false,
  };
}

/** A connection that is silent leaves watches open that bring nothing: what the kind showed last is what we know. */
function stalenessOf({ settled, stale }: KindReflectorState, monitor: Connection): ViewStaleness | undefined {
  const { connection, answeredAtMs = connection.sinceMs } = monitor;
  if (settled === undefined || connection.state === "connected") return stale;
  return { sinceMs: Math.min(stale?.sinceMs ?? answeredAtMs, answeredAtMs), cause: "way", words: connection.words ?? words("way/waiting") };
}
