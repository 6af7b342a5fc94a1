import { fieldsAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words, type Facts } from "@binnacle/words";

import { timeOf } from "../../age.ts";
import { refOf } from "../../health-ref.ts";
import { isKind } from "../../relatives.ts";
import type { PrecedingChange } from "../why.ts";
import { eventsAbout, type World } from "../world.ts";

/** A rollout scales, too: what is said of scaling within this time after it began belongs to it. Kubernetes' default deadline. */
const ROLLOUT_MS = 600_000;

/** Scalings of these workloads: what the Deployment controller says, and what an autoscaler has done. */
export function scalingChanges(workloads: readonly Fields[], rollouts: readonly PrecedingChange[], world: World): PrecedingChange[] {
  return workloads.flatMap((workload) => [
    ...eventsAbout(refOf(workload), world)
      .filter(({ reason, lastAt }) => reason === "ScalingReplicaSet" && !rollouts.some((rollout) => isPartOf(lastAt, rollout)))
      .map(({ message, lastAt }) => scaling(workload, lastAt, { said: quoted(message) })),
    ...autoscalersOf(workload, world).flatMap((autoscaler) => autoscalings(workload, autoscaler, world)),
  ]);
}

function autoscalings(workload: Fields, autoscaler: Fields, world: World): PrecedingChange[] {
  const ref = refOf(autoscaler);
  const by = `${ref.kind} ${ref.name}`;
  const events = eventsAbout(ref, world).filter(({ reason }) => reason === "SuccessfulRescale");
  if (events.length > 0) return events.map(({ message, lastAt }) => scaling(workload, lastAt, { by, said: quoted(message) }));
  const at = textAt(fieldsAt(autoscaler, "status"), "lastScaleTime");
  return at === "" ? [] : [scaling(workload, at, { by })];
}

function autoscalersOf(workload: Fields, world: World): Fields[] {
  const { kind, name, namespace } = refOf(workload);
  return (world.related ?? []).filter((object) => {
    if (!isKind(object, "autoscaling", "HorizontalPodAutoscaler") || refOf(object).namespace !== namespace) return false;
    const target = fieldsAt(fieldsAt(object, "spec"), "scaleTargetRef");
    return textAt(target, "kind") === kind && textAt(target, "name") === name;
  });
}

function isPartOf(at: string, rollout: PrecedingChange): boolean {
  const after = timeOf(at) - timeOf(rollout.at);
  return after >= 0 && after <= ROLLOUT_MS;
}

function scaling(workload: Fields, at: string, facts: Facts): PrecedingChange {
  const ref = refOf(workload);
  return { what: "scaling", ref, at, message: words("change/scaled", { kind: ref.kind, name: ref.name, ...facts }) };
}
