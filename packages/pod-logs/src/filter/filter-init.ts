import type { LogLevel } from "@binnacle/proto/logs-enums";

/** Which lines are meant, as `dashboard.v1.LogFilter`; what is absent does not limit. */
export interface LogFilterInit {
  /** At most 1,000 characters. */
  readonly pattern?: string;
  /** In the syntax of RE2: https://github.com/google/re2/wiki/Syntax */
  readonly isRegularExpression?: boolean;
  readonly matchesCase?: boolean;
  readonly levels?: readonly LogLevel[];
  /** At most 10. */
  readonly contextLines?: number;
}

/** A filter that cannot be used; the message has the reason and names unsupported syntax. */
export class LogFilterError extends Error {
  override readonly name = "LogFilterError";
}

const MAX_PATTERN_CHARS = 1000;
const MAX_CONTEXT_LINES = 10;
const MAX_LEVELS = 10;

/** Checks the limits of a filter; the syntax of an expression is checked by `Expressions.check`. @throws LogFilterError */
export function checkFilterLimits({ pattern = "", levels = [], contextLines = 0 }: LogFilterInit): void {
  if (pattern.length > MAX_PATTERN_CHARS) throw new LogFilterError(`the pattern is longer than ${MAX_PATTERN_CHARS} characters`);
  if (levels.length > MAX_LEVELS) throw new LogFilterError("there are too many levels");
  if (!Number.isSafeInteger(contextLines) || contextLines < 0 || contextLines > MAX_CONTEXT_LINES)
    throw new LogFilterError(`context is from 0 to ${MAX_CONTEXT_LINES} lines`);
}
