import { fieldsAt, type Fields } from "@binnacle/kube";
import type { Facts } from "@binnacle/words";

import { conditionOf, conditionsOf } from "../condition.ts";
import { isKind, isOwnedBy } from "../relatives.ts";
import type { Root, Subject } from "./root.ts";
import { explanationOf, type Explanation } from "./explanation.ts";
import type { World } from "./world.ts";

const DEADLINE = "ProgressDeadlineExceeded";

/** What is said instead of a next step that tells to wait, by the row that does. */
const INSTEAD: ReadonlyMap<string, (facts: Facts) => Explanation> = new Map(
  Object.entries({
    "start/starting": (facts: Facts) => explanationOf("start", "stuck", facts),
    "rollout/progress": (facts: Facts) => explanationOf("rollout", "stuck", facts),
    "lifecycle/terminating": (facts: Facts) => explanationOf("lifecycle", "overdue", facts),
    "autoscaling/waiting": (facts: Facts) => explanationOf("autoscaling", "silent", facts),
  }),
);

/**
 * Whether time alone no longer helps: it has taken longer than it should, or a rollout that it is a part of has passed its deadline. What
 * lies below something that is late is late, too.
 */
export function isLate(subject: Subject, world: World): boolean {
  return world.late === true || subject.stale || rolloutsOf(subject, world).some(isPastDeadline);
}

/** A root that tells nobody to wait. */
export function withoutWaiting(root: Root): Root {
  const { id, reason, message, nextStep } = root.explanation;
  const instead = INSTEAD.get(id);
  return instead === undefined ? root : { ...root, explanation: instead({ ...message.facts, ...nextStep.facts, reason }) };
}

function isPastDeadline(deployment: Fields): boolean {
  return conditionOf(conditionsOf(fieldsAt(deployment, "status")), "Progressing")?.reason === DEADLINE;
}

/** The Deployments whose rollout an object is, or is a part of. */
function rolloutsOf({ input }: Subject, world: World): Fields[] {
  if (isKind(input.object, "apps", "Deployment")) return [input.object];
  if (!isKind(input.object, "", "Pod") && !isKind(input.object, "apps", "ReplicaSet")) return [];
  const related = world.related ?? [];
  const makers = [input.object, ...related.filter((each) => isKind(each, "apps", "ReplicaSet") && isOwnedBy(input.object, each))];
  return related.filter((each) => isKind(each, "apps", "Deployment") && makers.some((maker) => isOwnedBy(maker, each)));
}
