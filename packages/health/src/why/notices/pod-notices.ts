import { conditionsOf, trueCondition, type Condition } from "../../condition.ts";
import { containersOf } from "../../container-state.ts";
import { terminationWords } from "../../container-words.ts";
import { containerFacts } from "../roots/container-facts.ts";
import type { Row } from "../rows.ts";
import type { Subject } from "../root.ts";
import { explanationOf, type Explanation } from "../explanation.ts";

/** From this many restarts on, a container that is ready again is still worth a word. */
const MANY_RESTARTS = 5;

/** What is to be noticed about a pod: a resize that does not happen, restarts that it has come over. */
export function podNotices(pod: Subject): Explanation[] {
  return [...resizeNotices(pod), ...restartNotices(pod)];
}

/** A change of its resources in place that the kubelet has put off, or cannot make. Source: k8s.io/api core/v1, PodResizePending and PodResizeInProgress. */
function resizeNotices({ ref, input }: Subject): Explanation[] {
  const conditions = conditionsOf(input.status);
  const pending = trueCondition(conditions, "PodResizePending");
  const running = trueCondition(conditions, "PodResizeInProgress");
  const row = rowOfResize(pending, running);
  const condition = row === "resize-failed" ? running : pending;
  if (row === undefined || condition === undefined) return [];
  return [{ ...explanationOf("scheduling", row, { pod: ref.name, said: condition.message }), since: condition.changedAt }];
}

function rowOfResize(pending: Condition | undefined, running: Condition | undefined): Row<"scheduling"> | undefined {
  if (pending !== undefined) return pending.reason === "Infeasible" ? "resize-infeasible" : "resize-deferred";
  return running?.reason === "Error" ? "resize-failed" : undefined;
}

function restartNotices(pod: Subject): Explanation[] {
  if (pod.status !== "Healthy") return [];
  return containersOf(pod.input).flatMap((container) => {
    if (container.restarts < MANY_RESTARTS || container.last === undefined) return [];
    const facts = { ...containerFacts(container, pod), count: container.restarts, said: terminationWords(container.last) };
    return [explanationOf("resource", "restarts", facts)];
  });
}
