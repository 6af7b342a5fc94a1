import { CODE, type CodeNumber } from "./code.ts";
import { Fault } from "./fault.ts";

/** What a caller may see of something that was thrown. */
export interface CallerStatus {
  readonly code: CodeNumber;
  readonly message: string;
}

/**
 * Any thrown value as a caller may see it. A Fault keeps its code and sentence; a TimeoutError becomes `deadline_exceeded`
 * (ConnectError.from would say canceled); everything else becomes `internal` with its message withheld.
 */
export function callerStatusOf(thrown: unknown): CallerStatus {
  if (thrown instanceof Fault) return { code: thrown.code, message: thrown.message };
  if (thrown instanceof Error && thrown.name === "TimeoutError") return { code: CODE.DeadlineExceeded, message: "the deadline passed" };
  if (thrown instanceof Error && thrown.name === "AbortError") return { code: CODE.Canceled, message: "the caller left" };
  return { code: CODE.Internal, message: "internal error" };
}
