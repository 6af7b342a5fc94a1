import { fieldsAt, numberAt, type Fields } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { conditionsOf, trueCondition } from "../condition.ts";
import { throughPods } from "../failing-pods.ts";
import { staleGeneration } from "../generation.ts";
import { unavailable } from "../min-ready.ts";
import { ownedOf } from "../relatives.ts";
import { podsOfSet } from "../replaced-pods.ts";
import { degraded, healthy, progressing, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** ReplicaSet and ReplicationController. An old one, scaled to zero, is as it should be. */
export const rule: KindRule = {
  kinds: ["apps/ReplicaSet", "extensions/ReplicaSet", "/ReplicationController"],
  generation: "own",
  judge: replicaSetHealth,
};

function replicaSetHealth(input: RuleInput): Verdict {
  const stale = staleGeneration(input, "zero");
  if (stale !== null) return stale;
  const failure = trueCondition(conditionsOf(input.status), "ReplicaFailure");
  if (failure !== undefined) {
    const message = words(failure.reason === "FailedDelete" ? "workload/not-deleted" : "workload/not-created", {
      said: quoted(failure.message),
    });
    return degraded(failure.reason || "ReplicaFailure", message, changedAt(failure, input));
  }
  const wanted = numberAt(input.spec, "replicas") ?? 1;
  if (wanted === 0) return healthy("ScaledToZero", words("workload/scaled-to-zero"));
  const available = numberAt(input.status, "availableReplicas") ?? 0;
  const ready = numberAt(input.status, "readyReplicas") ?? 0;
  const counts = words("workload/replicas-available", { count: available, wanted });
  if (available >= wanted && ready >= wanted) return healthy("Available", counts);
  const pods = podsOfReplicaSet(input);
  const own =
    available < wanted
      ? unavailable(input, pods, { message: counts })
      : progressing("NotReady", words("workload/replicas-ready", { count: ready, wanted }));
  return throughPods(own, pods, input);
}

/** Its pods, but for those that it has replaced. */
export function podsOfReplicaSet(input: RuleInput): Fields[] {
  return [...podsOfSet(ownedOf(input, "", "Pod"), wantedAt(input.object)).standing];
}

/** How many pods a ReplicaSet wants. */
export function wantedAt(replicaSet: Fields): number {
  return numberAt(fieldsAt(replicaSet, "spec"), "replicas") ?? 1;
}
