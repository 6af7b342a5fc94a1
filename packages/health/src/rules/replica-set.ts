import { numberAt } from "@binnacle/kube";

import { changedAt } from "../age.ts";
import { conditionsOf, trueCondition } from "../condition.ts";
import { throughPods } from "../failing-pods.ts";
import { staleGeneration } from "../generation.ts";
import { ownedOf } from "../relatives.ts";
import { degraded, healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";

/** ReplicaSet and ReplicationController. An old one, scaled to zero, is as it should be. */
export function replicaSetHealth(input: RuleInput): Verdict {
  const stale = staleGeneration(input, "zero");
  if (stale !== null) return stale;
  const failure = trueCondition(conditionsOf(input.status), "ReplicaFailure");
  if (failure !== undefined) {
    return degraded(failure.reason || "ReplicaFailure", `Pods cannot be created: ${failure.message}`, changedAt(failure, input));
  }
  const wanted = numberAt(input.spec, "replicas") ?? 1;
  if (wanted === 0) return healthy("ScaledToZero", "Scaled to zero");
  const available = numberAt(input.status, "availableReplicas") ?? 0;
  const ready = numberAt(input.status, "readyReplicas") ?? 0;
  if (available >= wanted && ready >= wanted) return healthy("Available", `${available} of ${wanted} replicas are available`);
  const own =
    available < wanted
      ? progressing("Unavailable", `${available} of ${wanted} replicas are available`)
      : progressing("NotReady", `${ready} of ${wanted} replicas are ready`);
  return throughPods(own, ownedOf(input, "", "Pod"), input);
}
