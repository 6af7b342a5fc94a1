import { fieldsAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { conditionOf, conditionsOf, falseCondition, trueCondition, type Condition } from "../condition.ts";
import { throughPods } from "../failing-pods.ts";
import { staleGeneration } from "../generation.ts";
import { unavailable } from "../min-ready.ts";
import { quotedOr } from "../quoted-or.ts";
import { ownedOf, podsBelow } from "../relatives.ts";
import { podsOfSet } from "../replaced-pods.ts";
import { wantedAt } from "./replica-set.ts";
import { degraded, healthy, progressing, suspended, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** Deployment: paused, then failures, then the counts of its rollout; a failing pod of the newest ReplicaSet speaks for it. */
export const rule: KindRule = { kinds: ["apps/Deployment", "extensions/Deployment"], generation: "own", judge: deploymentHealth };

const REVISION = "deployment.kubernetes.io/revision";

function deploymentHealth(input: RuleInput): Verdict {
  if (input.spec["paused"] === true) return suspended("Paused", pausedWords(input), pausedAt(input));
  const stale = staleGeneration(input, "zero");
  if (stale !== null) return stale;
  const conditions = conditionsOf(input.status);
  const failure = trueCondition(conditions, "ReplicaFailure");
  if (failure !== undefined) {
    const message = words(failure.reason === "FailedDelete" ? "workload/not-deleted" : "workload/not-created", {
      said: quoted(failure.message),
    });
    return degraded(failure.reason || "ReplicaFailure", message, changedAt(failure, input));
  }
  const own = rolloutVerdict(input, conditions);
  return own.status === "Healthy" ? own : throughPods(own, podsOfNewest(input), input);
}

/** A pause in the middle of a rollout leaves pods of two templates. */
function pausedWords({ spec, status }: RuleInput): Words {
  const [replicas, updated] = [numberAt(status, "replicas") ?? 0, numberAt(status, "updatedReplicas") ?? 0];
  if (updated === 0 || replicas <= updated) return words("deployment/paused");
  const facts = { count: updated, wanted: numberAt(spec, "replicas") ?? 1, old: replicas - updated };
  return words("deployment/paused-halfway", facts);
}

/** The controller notes when it saw the pause; nothing else tells. */
function pausedAt({ status }: RuleInput): string | undefined {
  const rollout = conditionOf(conditionsOf(status), "Progressing");
  return rollout?.reason === "DeploymentPaused" ? rollout.changedAt : undefined;
}

function rolloutVerdict(input: RuleInput, conditions: readonly Condition[]): Verdict {
  const rollout = conditionOf(conditions, "Progressing");
  if (rollout?.reason === "ProgressDeadlineExceeded") {
    const message = quotedOr(rollout.message, "deployment/progress-deadline");
    return degraded("ProgressDeadlineExceeded", message, changedAt(rollout, input));
  }

  if (rollout?.status === "false" && rollout.reason === "ReplicaSetCreateError") {
    return degraded(rollout.reason, words("deployment/no-replica-set", { said: quoted(rollout.message) }), changedAt(rollout, input));
  }

  const wanted = numberAt(input.spec, "replicas") ?? 1;
  const replicas = numberAt(input.status, "replicas") ?? 0;
  const updated = numberAt(input.status, "updatedReplicas") ?? 0;
  const available = numberAt(input.status, "availableReplicas") ?? 0;
  // The condition of a finished rollout says nothing about the one that begins now.
  const since = rollout?.reason === "NewReplicaSetAvailable" ? undefined : rollout?.updatedAt;
  if (updated < wanted) return progressing("RolloutInProgress", words("deployment/replicas-updated", { count: updated, wanted }), since);
  if (replicas > updated) return progressing("OldReplicas", words("deployment/old-replicas", { count: replicas - updated }), since);
  const notAvailable = falseCondition(conditions, "Available");
  if (available < updated) {
    const message = words("deployment/updated-available", { count: available, wanted: updated });
    const lost = notAvailable?.changedAt ?? since;
    return unavailable(input, podsOfNewest(input), { message, ...(lost === undefined ? {} : { since: lost }) });
  }
  if (rollout?.status === "false") {
    const message = quotedOr(rollout.message, "deployment/not-progressing");
    return progressing(rollout.reason || "NotProgressing", message, changedAt(rollout, input));
  }
  if (notAvailable !== undefined && wanted > 0) {
    const message = quotedOr(notAvailable.message, "deployment/not-available");
    return progressing(notAvailable.reason || "Unavailable", message, changedAt(notAvailable, input));
  }
  if (wanted === 0) return healthy("Available", words("workload/scaled-to-zero"));
  return healthy("Available", words("workload/replicas-available", { count: available, wanted }));
}

/** Pods of the newest ReplicaSet, but for those that it has replaced; empty when it is not known. */
export function podsOfNewest(input: RuleInput): Fields[] {
  const newest = newestReplicaSet(ownedOf(input, "apps", "ReplicaSet"), input);
  if (newest === undefined) return [];
  return [...podsOfSet(podsBelow(newest, input), wantedAt(newest)).standing];
}

/** The ReplicaSet of the newest revision: the one that the Deployment names, else the highest. */
export function newestReplicaSet(replicaSets: readonly Fields[], input: RuleInput): Fields | undefined {
  const own = revisionOf(input.metadata);
  let newest: Fields | undefined;
  for (const candidate of replicaSets) {
    const metadata = fieldsAt(candidate, "metadata");
    // The revision that the Deployment itself names is its newest one, if it is there already.
    if (own !== undefined && revisionOf(metadata) === own) return candidate;
    if (newest === undefined || isNewer(metadata, fieldsAt(newest, "metadata"))) newest = candidate;
  }
  return newest;
}

/** Whether the metadata of a ReplicaSet is of a newer revision than another's; then by age, then by name. */
export function isNewer(left: Fields, right: Fields): boolean {
  const [a, b] = [revisionOf(left) ?? 0, revisionOf(right) ?? 0];
  if (a !== b) return a > b;
  const [created, before] = [textAt(left, "creationTimestamp"), textAt(right, "creationTimestamp")];
  return created === before ? textAt(left, "name") > textAt(right, "name") : created > before;
}

function revisionOf(metadata: Fields): number | undefined {
  return numberAt(fieldsAt(metadata, "annotations"), REVISION);
}
