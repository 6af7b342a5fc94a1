import type { HealthStatus } from "../health-status.ts";
import type { Condition } from "../condition.ts";

/** The value of a field that names a state, such as `status.phase`. */
export interface StateReading {
  readonly path: string;
  readonly value: string;
  /** The meaning of the value; `undefined` for an unknown word. */
  readonly status: HealthStatus | undefined;
  /** Whether it is the state of the whole object: a field of the status itself, or `status.health.status`. */
  readonly own: boolean;
  /** Whether the name is such a word itself, not only ends in one. */
  readonly exact: boolean;
  /** What stands beside it as `message`, or as a sentence in `reason`; may be empty. */
  readonly message: string;
}

/** A boolean whose name says what its values mean. */
export interface FlagReading {
  readonly path: string;
  readonly value: boolean;
  readonly status: HealthStatus;
  readonly own: boolean;
}

/** A field that holds an error. */
export interface ErrorReading {
  readonly path: string;
  /** What it says; empty when it is no text. */
  readonly text: string;
}

/** A number of what is there, beside what is wanted. */
export interface CountReading {
  readonly path: string;
  readonly have: number;
  /** Path of what is wanted; empty for a number that should be 0, and for a text such as "1/3". */
  readonly wantPath: string;
  readonly want: number;
  readonly enough: boolean;
  /** Whether it counts what is ill. */
  readonly isIll: boolean;
}

/** A list of conditions somewhere in the status. */
export interface ConditionList {
  /** Path of the list; empty for the object's own. */
  readonly path: string;
  readonly conditions: readonly Condition[];
  /** The first that says that work goes on. */
  readonly busy: Condition | undefined;
}

/** All that a walk through a status has seen. */
export interface Readings {
  readonly states: readonly StateReading[];
  readonly flags: readonly FlagReading[];
  readonly errors: readonly ErrorReading[];
  /** Errors that may be over. */
  readonly lastErrors: readonly ErrorReading[];
  readonly counts: readonly CountReading[];
  /** Lists of conditions below, without the object's own. */
  readonly below: readonly ConditionList[];
  /** The status has no field, or only empty ones. */
  readonly isEmpty: boolean;
  /** There is more in it than a walk reads: what was not read may say anything. */
  readonly isCut: boolean;
  /** A time at which it began, or ended, is there. */
  readonly started: boolean;
  readonly ended: boolean;
}
