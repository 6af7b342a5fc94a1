import { listAt, numberAt } from "@binnacle/kube";

import { parseConditions, type Condition } from "../condition.ts";
import type { RuleInput } from "../verdict.ts";
import { conditionList, MAX_HEARD } from "./condition-list.ts";
import { readStatus } from "./read-status.ts";
import type { ConditionList, Readings } from "./readings.ts";
import { splitWords } from "./split-words.ts";
import { RUN_KINDS } from "./vocabulary/field-words.ts";

/** What all witnesses see of an object. */
export interface Evidence {
  readonly input: RuleInput;
  readonly generation: number | undefined;
  /** The first hundred conditions of the object itself. */
  readonly conditions: readonly Condition[];
  /** Every list of conditions, the object's own first, with the path of those below; the own one has an empty path. */
  readonly lists: readonly ConditionList[];
  readonly readings: Readings;
  /** Whether it runs to an end: by its kind, or because it has begun and not ended. */
  readonly isUnfinishedRun: boolean;
  /** There is more in its status than was read. */
  readonly isCut: boolean;
}

/** Reads an object once, for all witnesses. */
export function evidenceOf(input: RuleInput): Evidence {
  const written = listAt(input.status, "conditions");
  const conditions = parseConditions(written.slice(0, MAX_HEARD));
  const readings = readStatus(input.status, input.spec);
  const runs = readings.started || RUN_KINDS.has(splitWords(input.kind).at(-1) ?? "");
  return {
    input,
    generation: numberAt(input.metadata, "generation"),
    conditions,
    lists: conditions.length > 0 ? [conditionList("", conditions), ...readings.below] : readings.below,
    readings,
    isUnfinishedRun: runs && !readings.ended,
    isCut: readings.isCut || written.length > MAX_HEARD,
  };
}
