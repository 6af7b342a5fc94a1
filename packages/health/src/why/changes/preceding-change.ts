import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";
import { words, quoted, type Facts } from "@binnacle/words";

import { timeOf } from "../../age.ts";
import { refOf } from "../../health-ref.ts";
import { isKind } from "../../relatives.ts";
import { ruleInputOf } from "../../rule-input.ts";
import { podSpecOf, podReferencesOf } from "../pod-references.ts";
import type { PrecedingChange, WhyLink } from "../why.ts";
import { relatedNamed, type World, eventsAbout } from "../world.ts";
import { latestBefore } from "./change-window.ts";
import { changedBy } from "./managed-time.ts";
import { nodeChanges } from "./node-change.ts";
import { rolloutChanges } from "./rollout-change.ts";

/** What is bad, and since when. */
export interface Trouble {
  readonly object: Fields;
  readonly chain: readonly WhyLink[];
  /** ISO 8601. */
  readonly firstBadAt: string;
}

/** A rollout scales, too: scaling within this time after it began belongs to it. Kubernetes' default deadline. */
const ROLLOUT_MS = 600_000;

/** The latest change at or before it began, of everything that the chain passes through; `undefined` when none is known. */
export function precedingChange({ object, chain, firstBadAt }: Trouble, world: World): PrecedingChange | undefined {
  const passed = [
    object,
    ...chain.slice(1).flatMap<Fields>(({ level, ref }) => (level === "resource" ? (relatedNamed(ref, world) ?? []) : [])),
  ];
  const workloads = [...passed, ...passed.flatMap((each) => ownersOf(each, world))];
  const rollouts = workloads.flatMap((workload) => rolloutChanges(workload, world));
  const changes = [
    ...rollouts,
    ...passed.flatMap((each) => configChanges(podSpecOf(ruleInputOf(each, world)), textAt(fieldsAt(each, "metadata"), "namespace"), world)),
    ...passed.filter((each) => isKind(each, "", "Pod")).flatMap((pod) => nodeChanges(pod, world)),
    ...scalingChanges(workloads, rollouts, world),
  ];
  return latestBefore(changes, firstBadAt);
}

/** Owners of an object and their owners, as far as they are known. */
function ownersOf(object: Fields, world: World): Fields[] {
  const found: Fields[] = [];
  let wanted = ownerUids(object);
  // A pod, its ReplicaSet, its Deployment: rings end here, too.
  for (let step = 0; step < 3 && wanted.size > 0; step += 1) {
    const owners = (world.related ?? []).filter((each) => wanted.has(textAt(fieldsAt(each, "metadata"), "uid")));
    found.push(...owners);
    wanted = new Set(owners.flatMap((owner) => [...ownerUids(owner)]));
  }
  return found;
}

function ownerUids(object: Fields): Set<string> {
  const references = listAt(fieldsAt(object, "metadata"), "ownerReferences");
  return new Set(references.map((reference) => textAt(reference, "uid")).filter(Boolean));
}

/** Changes of the ConfigMaps and Secrets that a pod spec takes something from. */
function configChanges(podSpec: Fields, namespace: string, world: World): PrecedingChange[] {
  return podReferencesOf(podSpec).flatMap(({ kind, name }) => {
    if (kind !== "ConfigMap" && kind !== "Secret") return [];
    const object = relatedNamed({ group: "", kind, namespace, name }, world);
    if (object === undefined) return [];
    const { at, manager, created } = changedBy(fieldsAt(object, "metadata"));
    if (at === "") return [];
    const message = words(created ? "change/created" : "change/changed", { kind, name, manager });
    return [{ what: "config" as const, ref: refOf(object), at, message }];
  });
}

/** Scalings of these workloads: what the Deployment controller says, and what an autoscaler has done. */
function scalingChanges(workloads: readonly Fields[], rollouts: readonly PrecedingChange[], world: World): PrecedingChange[] {
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
