import { textAt } from "@binnacle/kube";

import { conditionsOf, trueCondition, type Condition } from "../../condition.ts";
import type { Row } from "../rows.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

/** Conditions of a claim that serves on while something else about it does not work. Source: k8s.io/api core/v1, PersistentVolumeClaimConditionType. */
const CONDITIONS: readonly (readonly [string, Row<"storage">])[] = [
  ["ControllerResizeError", "resize-failed"],
  ["NodeResizeError", "resize-failed"],
  ["ModifyVolumeError", "modify-failed"],
  ["FileSystemResizePending", "resize-waits-for-pod"],
];

/** What keeps a claim from its new size or its new class, though it is bound. */
export function claimNotices(subject: Subject): Explanation[] {
  const { name } = subject.ref;
  const created = textAt(subject.input.metadata, "creationTimestamp");
  if (subject.reason === "WaitForFirstConsumer") return [{ ...explanationOf("storage", "waits-for-consumer", { name }), since: created }];
  const conditions = conditionsOf(subject.input.status);
  const rows = CONDITIONS.flatMap(([type, row]): [Row<"storage">, Condition][] => {
    const condition = trueCondition(conditions, type);
    return condition === undefined ? [] : [[row, condition]];
  });
  // Controller and node may both fail at one and the same resize.
  const once = rows.filter(([row], index) => rows.findIndex(([each]) => each === row) === index);
  return once.map(([row, { message, changedAt }]) => ({ ...explanationOf("storage", row, { name, said: message }), since: changedAt }));
}
