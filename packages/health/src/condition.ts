import { fieldsOf, listAt, numberAt, type Fields } from "@binnacle/kube";

import { sentenceAt, timeAt, wordAt } from "./bounded-text.ts";

/** Most conditions of an object that are read: no controller writes a tenth of it, and more would take too long. */
const MAX_CONDITIONS = 1_000;

/** One entry of `status.conditions`, read loosely. */
export interface Condition {
  readonly type: string;
  /** Compared without regard to case; booleans count, as some tools write them. */
  readonly status: "true" | "false" | "unknown" | "";
  readonly reason: string;
  readonly message: string;
  /** As written; may be empty or not a time. */
  readonly changedAt: string;
  /** As written: the time of the last update, for the conditions that have it. */
  readonly updatedAt: string;
  readonly observedGeneration: number | undefined;
}

/** Conditions of a status. Anything that is not a list of objects with a type is left out. */
export function conditionsOf(status: Fields): readonly Condition[] {
  return parseConditions(listAt(status, "conditions"));
}

/** Conditions of a list of unknown entries; of more than a thousand entries only the first thousand count. */
export function parseConditions(entries: readonly unknown[]): readonly Condition[] {
  const conditions: Condition[] = [];
  for (const entry of entries.slice(0, MAX_CONDITIONS)) {
    const fields = fieldsOf(entry);
    const type = wordAt(fields, "type");
    if (type === "") continue;
    conditions.push({
      type,
      status: statusOf(fields["status"]),
      reason: wordAt(fields, "reason"),
      message: sentenceAt(fields, "message"),
      changedAt: timeAt(fields, "lastTransitionTime") || timeAt(fields, "lastUpdateTime"),
      updatedAt: timeAt(fields, "lastUpdateTime"),
      observedGeneration: numberAt(fields, "observedGeneration"),
    });
  }
  return conditions;
}

/** The condition of a type, if there is one. */
export function conditionOf(conditions: readonly Condition[], type: string): Condition | undefined {
  for (const condition of conditions) if (condition.type === type) return condition;
  return undefined;
}

/** The condition of a type when its status is True. */
export function trueCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  const condition = conditionOf(conditions, type);
  return condition?.status === "true" ? condition : undefined;
}

/** The condition of a type when its status is False. */
export function falseCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  const condition = conditionOf(conditions, type);
  return condition?.status === "false" ? condition : undefined;
}

function statusOf(value: unknown): Condition["status"] {
  if (value === "True" || value === true) return "true";
  if (value === "False" || value === false) return "false";
  if (typeof value !== "string" || value.length > "unknown".length) return "";
  const lower = value.toLowerCase();
  return lower === "true" || lower === "false" || lower === "unknown" ? lower : "";
}
