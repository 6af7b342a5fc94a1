import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";

import { isKind } from "../../relatives.ts";
import { ruleInputOf } from "../../rule-input.ts";
import { podSpecOf } from "../pod-references.ts";
import type { PrecedingChange, WhyLink } from "../why.ts";
import { relatedNamed, type World } from "../world.ts";
import { latestBefore } from "./change-window.ts";
import { configChanges } from "./config-change.ts";
import { nodeChanges } from "./node-change.ts";
import { rolloutChanges } from "./rollout-change.ts";
import { scalingChanges } from "./scaling-change.ts";

/** What is bad, and since when. */
export interface Trouble {
  readonly object: Fields;
  readonly chain: readonly WhyLink[];
  /** ISO 8601. */
  readonly firstBadAt: string;
}

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
