import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

import { conditionsOf, type Condition } from "./condition.ts";
import type { HealthStatus } from "./health-status.ts";

/** What was decided about an object, and since when; `since` as written, may be empty. */
interface Decided {
  readonly status: HealthStatus;
  readonly reason: string;
  readonly since: string;
}

/**
 * Whether a time is only the creation of the object, which rules give when nothing says since when it is broken. A condition with that very
 * time is evidence. That something is on its way since it was created is credible.
 */
export function isSinceAssumed({ status, reason, since }: Decided, object: Fields): boolean {
  if (status !== "Degraded" || since !== textAt(fieldsAt(object, "metadata"), "creationTimestamp")) return false;
  const isEvidence = (condition: Condition): boolean =>
    (condition.reason || condition.type) === reason || (condition.type === "Ready" && condition.status === "false");
  return !conditionsOf(fieldsAt(object, "status")).some((condition) => condition.changedAt === since && isEvidence(condition));
}
