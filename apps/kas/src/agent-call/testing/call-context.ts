import type { CallContext } from "../call-context.ts";

/** A context with an arbitrary caller. */
export function contextOf(changes: Partial<CallContext> = {}): CallContext {
  return { caller: { kind: "user", id: "1" }, traceId: "test", class: "safe", waitMs: 5_000, ...changes };
}
