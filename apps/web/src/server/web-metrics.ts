import { Counter, Registry, collectDefaultMetrics } from "prom-client";

import type { CallBound } from "./call-limits.ts";
import type { SignInBound } from "./sign-in-limit.ts";

/** Everything that is refused at the door, by what it ran into. */
export type RefusalReason = CallBound | SignInBound | "body" | "method" | "request";

/** Everything the dashboard's server counts. Labels come from closed sets: never an id, a path or a user. */
export interface WebMetrics {
  readonly registry: Registry;
  /** A request was refused at the door. */
  refused(reason: RefusalReason): void;
}

/** Makes the metrics in a registry of their own. */
export function createWebMetrics(): WebMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const refused = new Counter({
    name: "web_refused_requests_total",
    help: "Requests refused before they were looked into, by the limit or rule they ran into",
    labelNames: ["reason"],
    registers: [registry],
  });
  return { registry, refused: (reason) => refused.labels(reason).inc() };
}
