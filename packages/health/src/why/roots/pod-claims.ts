import { fieldsAt, listAt, textAt, textOf, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { podReferencesOf } from "../pod-references.ts";
import type { Subject } from "../root.ts";
import { relatedNamed, type World } from "../world.ts";

/** At most so many volumes, and labels of one volume, are named. */
const MAX_NAMED = 5;

/** Names of the PersistentVolumeClaims that a pod mounts, each once. */
export function claimNames(pod: Subject): string[] {
  const names = podReferencesOf(pod.input.spec).flatMap(({ kind, name }) => (kind === "PersistentVolumeClaim" ? [name] : []));
  return [...new Set(names)];
}

/** Claims of the pod that are known and not bound. */
export function unboundClaims(pod: Subject, world: World): Fields[] {
  return claimsOf(pod, world).filter((claim) => textAt(fieldsAt(claim, "status"), "phase") !== "Bound");
}

/** Volumes that claims of the pod are bound to, and which nodes reach them, as far as it is known; `undefined` = no such claim is known. */
export function boundVolumes(pod: Subject, world: World): Words[] | undefined {
  const bound = claimsOf(pod, world).filter((claim) => textAt(fieldsAt(claim, "spec"), "volumeName") !== "");
  return bound.length === 0 ? undefined : bound.slice(0, MAX_NAMED).map((claim) => volumeWords(claim, world));
}

function claimsOf(pod: Subject, world: World): Fields[] {
  const { namespace } = pod.ref;
  return claimNames(pod)
    .sort()
    .flatMap<Fields>((name) => relatedNamed({ group: "", kind: "PersistentVolumeClaim", namespace, name }, world) ?? []);
}

function volumeWords(claim: Fields, world: World): Words {
  const [metadata, volume] = [fieldsAt(claim, "metadata"), textAt(fieldsAt(claim, "spec"), "volumeName")];
  const object = relatedNamed({ group: "", kind: "PersistentVolume", namespace: "", name: volume }, world);
  const where = object === undefined ? [] : nodeLabelsOf(object);
  // Written by the scheduler where the volume waited for its first consumer.
  const node = where.length > 0 ? "" : textAt(fieldsAt(metadata, "annotations"), "volume.kubernetes.io/selected-node");
  const facts = { volume, claim: textAt(metadata, "name"), where: where.length > 0 ? where : undefined, node: node || undefined };
  return words("scheduling/volume", facts);
}

/** "topology.kubernetes.io/zone=a", of the terms by which a volume chooses its nodes; empty when another operator than In is used. */
function nodeLabelsOf(volume: Fields): string[] {
  const required = fieldsAt(fieldsAt(fieldsAt(volume, "spec"), "nodeAffinity"), "required");
  const expressions = listAt(required, "nodeSelectorTerms").flatMap((term) => [
    ...listAt(term, "matchExpressions"),
    ...listAt(term, "matchFields"),
  ]);
  if (expressions.some((each) => textAt(each, "operator") !== "In")) return [];
  const labels = expressions.map((each) => `${textAt(each, "key")}=${listAt(each, "values").map(textOf).join("|")}`);
  return [...new Set(labels)].slice(0, MAX_NAMED);
}
