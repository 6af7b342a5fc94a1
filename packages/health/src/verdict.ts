import type { Fields } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

import type { EventFact } from "./event-fact.ts";
import type { KnownCertificate } from "./certificate/known-certificate.ts";
import type { HealthCause, HealthScope } from "./health-result.ts";
import type { HealthStatus } from "./health-status.ts";

/** What a rule answers. */
export interface Verdict {
  readonly status: HealthStatus;
  /** Stable word. */
  readonly reason: string;
  /** For people. */
  readonly message: Words;
  /** What was seen that says so: a field or a condition by path and value; absent where the message says it. */
  readonly because?: Words;
  /** When it became so, as the object says it; empty or absent = not known. */
  readonly since?: string;
  /** When it was to be over, where that is known: how long it may take counts from there, not from `since`. */
  readonly dueAt?: string;
  readonly causes?: readonly HealthCause[];
  /** Causes beyond those; absent = none. */
  readonly moreCauses?: number;
}

/** A rule: the verdict on one kind; `null` = no opinion. */
export type HealthRule = (input: RuleInput) => Verdict | null;

/** What a file of rules/ exports as `rule`: the health of built-in kinds. */
export interface KindRule {
  /** As `group/Kind`; the core group is empty: "/Pod". */
  readonly kinds: readonly string[];
  /** Whether a spec newer than its status is reported before the rule is called, or by the rule at a moment of its own. */
  readonly generation: "before" | "own";
  readonly judge: HealthRule;
}

/** What every rule gets; shapes below are unknown input, read through `fieldsAt` and its like. */
export interface RuleInput {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly metadata: Fields;
  readonly spec: Fields;
  readonly status: Fields;
  /** The whole object, for fields outside spec and status. */
  readonly object: Fields;
  /** Milliseconds since the epoch; `undefined` = not known, so nothing is ever old. */
  readonly now: number | undefined;
  /** `undefined` = not known. */
  readonly related: readonly Fields[] | undefined;
  /** Events about the object; absent = not known. */
  readonly events?: readonly EventFact[] | undefined;
  /** How far the caller sees; absent = not known. */
  readonly scope?: HealthScope | undefined;
  /** Of the Secrets that the object names; absent = not known. */
  readonly certificates?: readonly KnownCertificate[] | undefined;
}

/** Well. */
export function healthy(reason: string, message: Words, since?: string): Verdict {
  return { status: "Healthy", reason, message, ...(since === undefined ? {} : { since }) };
}

/** On its way. */
export function progressing(reason: string, message: Words, since?: string): Verdict {
  return { status: "Progressing", reason, message, ...(since === undefined ? {} : { since }) };
}

/** Not well. */
export function degraded(reason: string, message: Words, since?: string): Verdict {
  return { status: "Degraded", reason, message, ...(since === undefined ? {} : { since }) };
}

/** Paused on purpose. */
export function suspended(reason: string, message: Words, since?: string): Verdict {
  return { status: "Suspended", reason, message, ...(since === undefined ? {} : { since }) };
}

/** The state is not known. */
export function unknown(reason: string, message: Words): Verdict {
  return { status: "Unknown", reason, message };
}
