import { fieldsAt, listAt, textAt, textOf, type Fields, UNITS } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { conditionsOf, falseCondition } from "../../condition.ts";
import { besideCondition } from "../episodes.ts";
import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, keyOfService } from "../root-key.ts";
import type { Row } from "../rows.ts";
import { explanationOf } from "../explanation.ts";
import { podReferencesOf } from "../pod-references.ts";
import { warningOf, type World, relatedNamed } from "../world.ts";
import { namedRoot } from "./reference-root.ts";
import { arithmeticOf, type Arithmetic } from "./scheduler-arithmetic.ts";

/** So many gates, and so many labels, are named. */
const MAX_NAMED = 10;

const FAILED_SCHEDULING = new Set(["FailedScheduling"]);

/** At most so many volumes, and labels of one volume, are named. */
const MAX_NAMED_CLAIMS = 5;

/** Why no node takes a pod; `null` when it has a node, or the scheduler has not looked yet. */
export function schedulingRoot(pod: Subject, world: World): Root | null {
  if (textAt(pod.input.spec, "nodeName") !== "") return null;
  const condition = falseCondition(conditionsOf(pod.input.status), "PodScheduled");
  const event = warningOf(pod.ref, FAILED_SCHEDULING, world);
  if (condition?.reason === "SchedulingGated") {
    const gates = listAt(pod.input.spec, "schedulingGates").slice(0, MAX_NAMED);
    const names = gates.map((gate) => textAt(gate, "name")).filter((name) => name !== "");
    const facts = { pod: pod.ref.name, gates: names.length === 0 ? undefined : names, said: names.length === 0 ? condition.message : "" };
    return ownRoot(explanationOf("scheduling", "gated", facts), [condition.changedAt]);
  }
  const message = condition?.message || event?.message || "";
  if (condition?.reason !== "Unschedulable" && condition?.reason !== "SchedulerError" && event === undefined) return null;

  const named = namedRoot(message, pod, world);
  if (named !== null) return named;
  const arithmetic = arithmeticOf(message);
  const { row, sum } = arithmetic;
  const claims = row === "unbound-claim" ? unboundClaims(pod, world) : [];
  const [claim] = claims;
  const below = claim === undefined ? null : world.follow(claim, world);
  if (below !== null) return below;

  const labels = nobodysLabels(arithmetic, pod.input.spec);
  const topology = spreadLabels(pod.input.spec);
  const explanation = explanationOf("scheduling", rowOf(arithmetic, { labels, topology }), {
    pod: pod.ref.name,
    labels,
    topology,
    count: topology.length,
    volumes: row === "volume-affinity" ? boundVolumes(pod, world) : undefined,
    requests: requestsOf(pod.input.spec),
    arithmetic: sum,
    claims: claimWords(pod),
  });
  const at = condition?.changedAt ?? "";
  const root = event === undefined ? ownRoot(explanation, [at]) : eventRoot(besideCondition(event, at), explanation, pod);
  return blaming(root, row === "no-nodes" ? keyOfService("scheduler", row) : undefined);
}

interface NodeLabels {
  readonly labels: readonly string[] | undefined;
  readonly topology: readonly string[];
}

function rowOf({ row, lacksLabels }: Arithmetic, { labels, topology }: NodeLabels): Row<"scheduling"> {
  if (labels !== undefined) return lacksLabels === "every" ? "labels" : "open-labels";
  return row === "topology-label" && topology.length === 0 ? "affinity" : row;
}

/** Node labels by which the pod must be spread. */
function spreadLabels(spec: Fields): string[] {
  const constraints = listAt(spec, "topologySpreadConstraints").filter((each) => textAt(each, "whenUnsatisfiable") !== "ScheduleAnyway");
  const keys = constraints.map((each) => textAt(each, "topologyKey")).filter((key) => key !== "");
  return [...new Set(keys)].sort().slice(0, MAX_NAMED);
}

/** The labels that a pod selects nodes by, when no node matches them, or none that it could use: for them, or for nodeAffinity. */
function nobodysLabels({ lacksLabels }: Arithmetic, spec: Fields): string[] | undefined {
  const selector = Object.entries(fieldsAt(spec, "nodeSelector")).slice(0, MAX_NAMED);
  const labels = selector.map(([label, value]) => `${label}=${textOf(value)}`).sort();
  return lacksLabels !== undefined && labels.length > 0 ? labels : undefined;
}

function claimWords(pod: Subject): Words {
  const names = claimNames(pod);
  return names.length === 0 ? words("scheduling/its-claim") : words("scheduling/claim", { names });
}

/** Names of the PersistentVolumeClaims that a pod mounts, each once. */
function claimNames(pod: Subject): string[] {
  const names = podReferencesOf(pod.input.spec).flatMap(({ kind, name }) => (kind === "PersistentVolumeClaim" ? [name] : []));
  return [...new Set(names)];
}

/** Claims of the pod that are known and not bound. */
function unboundClaims(pod: Subject, world: World): Fields[] {
  return claimsOf(pod, world).filter((claim) => textAt(fieldsAt(claim, "status"), "phase") !== "Bound");
}

/** Volumes that claims of the pod are bound to, and which nodes reach them, as far as it is known; `undefined` = no such claim is known. */
function boundVolumes(pod: Subject, world: World): Words[] | undefined {
  const bound = claimsOf(pod, world).filter((claim) => textAt(fieldsAt(claim, "spec"), "volumeName") !== "");
  return bound.length === 0 ? undefined : bound.slice(0, MAX_NAMED_CLAIMS).map((claim) => volumeWords(claim, world));
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
  return [...new Set(labels)].slice(0, MAX_NAMED_CLAIMS);
}

/** What a pod asks for: "cpu 1500m, memory 2Gi"; the sum of its containers; empty when it states nothing. */
function requestsOf(podSpec: Fields): string {
  const stated = new Map<string, string[]>();
  for (const container of listAt(podSpec, "containers")) {
    for (const [resource, amount] of Object.entries(fieldsAt(fieldsAt(container, "resources"), "requests"))) {
      if (typeof amount !== "string" && typeof amount !== "number") continue;
      stated.set(resource, [...(stated.get(resource) ?? []), String(amount)]);
    }
  }
  const names = [...stated.keys()].sort();
  return names.map((resource) => `${resource} ${shownAmount(resource, sumOf(stated.get(resource) ?? []))}`).join(", ");
}

/** The API server writes 1000 CPUs as "1k", which is common only for bytes, not for counts. */
function shownAmount(resource: string, amount: string): string {
  const [, digits = "", unit = ""] = /^(\d+)([kMG])$/.exec(amount) ?? [];
  return unit === "" || /memory|storage|^hugepages-/.test(resource) ? amount : String(Number(digits) * (UNITS.get(unit) ?? 1));
}

/** One amount as it is written; several in the smallest unit that any of them uses; "a + b" when one cannot be read. */
function sumOf(amounts: readonly string[]): string {
  const [first] = amounts;
  if (amounts.length === 1 && first !== undefined) return first;
  const parsed = amounts.map((amount) => /^(\d+(?:\.\d+)?)(m|k|M|G|T|Ki|Mi|Gi|Ti|)$/.exec(amount));
  const units = parsed.map((match) => match?.[2]);
  if (units.includes(undefined)) return amounts.join(" + ");
  const unit = units.reduce((least, each) => ((UNITS.get(each ?? "") ?? 1) < (UNITS.get(least ?? "") ?? 1) ? each : least)) ?? "";
  const total = parsed.reduce((sum, match) => sum + Number(match?.[1] ?? 0) * (UNITS.get(match?.[2] ?? "") ?? 1), 0);
  return `${Number((total / (UNITS.get(unit) ?? 1)).toFixed(3))}${unit}`;
}
