import { fieldsAt, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words, type FactValue, type Words } from "@binnacle/words";

import { timeOf } from "../../age.ts";
import { refOf } from "../../health-ref.ts";
import { isOwnedBy, isKind, ownedOf } from "../../relatives.ts";
import { isNewer, newestReplicaSet } from "../../rules/deployment.ts";
import { ruleInputOf } from "../../rule-input.ts";
import type { HealthRef } from "../../health-result.ts";
import { firstNames } from "../../missing-health.ts";
import { CLOCK_SLACK_MS } from "../first-bad-at.ts";
import type { PrecedingChange } from "../why.ts";
import type { World } from "../world.ts";
import { changedBy } from "./managed-time.ts";

/** Differences that are named; the rest is counted. */
const MAX_NAMED = 3;

/** The newest rollout of a workload; none for other objects. */
export function rolloutChanges(workload: Fields, world: World): PrecedingChange[] {
  if (isKind(workload, "apps", "Deployment")) return deploymentRollout(workload, world);
  if (isKind(workload, "apps", "ReplicaSet")) return siblingsRollout(workload, world);
  if (isKind(workload, "apps", "StatefulSet") || isKind(workload, "apps", "DaemonSet")) return revisionRollout(workload, world);
  return [];
}

function deploymentRollout(deployment: Fields, world: World): PrecedingChange[] {
  const input = ruleInputOf(deployment, world);
  const replicaSets = ownedOf(input, "apps", "ReplicaSet");
  const ref = refOf(deployment);
  const changedAt = changedBy(fieldsAt(deployment, "metadata")).at;
  const rollouts = replicaSetRollout(replicaSets, { ref, newest: newestReplicaSet(replicaSets, input), changedAt });
  // The change that made the ReplicaSet; the ReplicaSet says more.
  const same = (change: PrecedingChange) => rollouts.some(({ at }) => Math.abs(timeOf(at) - timeOf(change.at)) <= CLOCK_SLACK_MS);
  return [...rollouts, ...specChange(deployment).filter((change) => !same(change))];
}

/** The last change of the specification of a Deployment. */
function specChange(deployment: Fields): PrecedingChange[] {
  const ref = refOf(deployment);
  const { at, manager, created } = changedBy(fieldsAt(deployment, "metadata"));
  if (created || at === "") return [];
  return [{ what: "rollout", ref, at, message: words("change/changed", { ...namesOf(ref), manager }) }];
}

/** The Deployment is not known; its ReplicaSets are those with the same owner. */
function siblingsRollout(replicaSet: Fields, world: World): PrecedingChange[] {
  const [owner] = listAt(fieldsAt(replicaSet, "metadata"), "ownerReferences");
  const uid = textAt(owner, "uid");
  if (uid === "" || (world.related ?? []).some((object) => textAt(fieldsAt(object, "metadata"), "uid") === uid)) return [];
  const { namespace } = refOf(replicaSet);
  const deployment = {
    apiVersion: textAt(owner, "apiVersion"),
    kind: textAt(owner, "kind"),
    metadata: { name: textAt(owner, "name"), namespace, uid },
  };
  const siblings = [replicaSet, ...(world.related ?? [])].filter(
    (each) => isKind(each, "apps", "ReplicaSet") && isOwnedBy(each, deployment),
  );
  const newest = newestReplicaSet(siblings, ruleInputOf(deployment, world));
  return replicaSetRollout(siblings, { ref: refOf(deployment), newest, changedAt: "" });
}

interface NewestOf {
  readonly ref: HealthRef;
  readonly newest: Fields | undefined;
  /** When the specification of the workload was changed last; empty when it is not known. */
  readonly changedAt: string;
}

function replicaSetRollout(replicaSets: readonly Fields[], { ref, newest, changedAt }: NewestOf): PrecedingChange[] {
  if (newest === undefined) return [];
  const metadata = fieldsAt(newest, "metadata");
  const older = replicaSets.filter((each) => isNewer(metadata, fieldsAt(each, "metadata")));
  const before = older.reduce<Fields | undefined>(
    (latest, each) => (latest === undefined || isNewer(fieldsAt(each, "metadata"), fieldsAt(latest, "metadata")) ? each : latest),
    undefined,
  );
  const templates = { before: templateOf(before), after: templateOf(newest) };
  return rolloutOf(ref, { newest, before, changedAt }, templates);
}

/**
 * The rollout to a revision: at its creation, or, when it is older than the one before it, at the last change of the workload. Going back
 * makes no revision: without a change since the other revision was created, its time is not known.
 */
function rolloutOf(
  ref: HealthRef,
  { newest, before, changedAt }: { readonly newest: Fields; readonly before: Fields | undefined; readonly changedAt: string },
  templates: Templates,
): PrecedingChange[] {
  const [createdAt, beforeAt] = [newest, before].map((each) => textAt(fieldsAt(each, "metadata"), "creationTimestamp"));
  if (!(timeOf(createdAt ?? "") < timeOf(beforeAt ?? ""))) return [rollout(ref, createdAt ?? "", templates)];
  return timeOf(changedAt) >= timeOf(beforeAt ?? "") ? [rollout(ref, changedAt, { ...templates, isBack: true })] : [];
}

/** StatefulSets and DaemonSets: the revision object when it is known, else the first pod of the new revision, else the spec. */
function revisionRollout(workload: Fields, world: World): PrecedingChange[] {
  const ref = refOf(workload);
  const status = fieldsAt(workload, "status");
  const [current, update] = [textAt(status, "currentRevision"), textAt(status, "updateRevision")];
  const pods = ownedOf(ruleInputOf(workload, world), "", "Pod");
  const revisions = (world.related ?? []).filter((each) => isKind(each, "apps", "ControllerRevision") && isOwnedBy(each, workload));
  const [newest, before] = revisions.toSorted((left, right) => (numberAt(right, "revision") ?? 0) - (numberAt(left, "revision") ?? 0));
  const hash = newest === undefined ? update : refOf(newest).name;
  const isNew = (pod: Fields) => hash !== "" && hash.endsWith(hashOf(pod)) && hashOf(pod) !== "";
  const [fresh, old] = [pods.filter(isNew), pods.filter((pod) => !isNew(pod))];
  const images = { before: fieldsAt(old[0], "spec"), after: fieldsAt(fresh[0], "spec") };
  const template = fieldsAt(fieldsAt(fieldsAt(workload, "spec"), "template"), "spec");
  const known = old.length === 0 ? {} : { before: images.before, after: fresh.length === 0 ? template : images.after };
  const changed = changedBy(fieldsAt(workload, "metadata"));
  if (newest !== undefined) return rolloutOf(ref, { newest, before, changedAt: changed.at }, known);
  if (old.length > 0 && fresh.length > 0 && current !== update) {
    const [first = ""] = fresh.map((pod) => textAt(fieldsAt(pod, "metadata"), "creationTimestamp")).sort();
    return [rollout(ref, first, known)];
  }
  return changed.at === "" ? [] : [rollout(ref, changed.at, changed.created ? {} : { before: template, after: template })];
}

function hashOf(pod: Fields): string {
  return textAt(fieldsAt(fieldsAt(pod, "metadata"), "labels"), "controller-revision-hash");
}

function templateOf(replicaSet: Fields | undefined): Fields {
  return fieldsAt(fieldsAt(fieldsAt(replicaSet, "spec"), "template"), "spec");
}

interface Templates {
  readonly before?: Fields;
  readonly after?: Fields;
  /** To an earlier revision. */
  readonly isBack?: boolean;
}

function rollout(ref: HealthRef, at: string, { before, after, isBack = false }: Templates): PrecedingChange {
  const images = imageDifference(before, after);
  const first = before === undefined || Object.keys(before).length === 0;
  const same = first ? "change/rolled-out-first" : "change/rolled-out-same-images";
  const out = images === undefined ? words(same, namesOf(ref)) : words("change/rolled-out", { ...namesOf(ref), images });
  const message = isBack ? words("change/rolled-back", { ...namesOf(ref), images }) : out;
  return { what: "rollout", ref, at, message };
}

function namesOf({ kind, name }: HealthRef) {
  return { kind, name };
}

/** Images that differ between two pod specs, as "api:1.4 → api:1.5"; absent when none does. */
function imageDifference(before: Fields | undefined, after: Fields | undefined): FactValue | undefined {
  const old = imagesOf(before);
  const changed: Words[] = [];
  for (const [container, image] of imagesOf(after)) {
    const was = old.get(container);
    if (was !== undefined && was !== image) changed.push(words("change/image", { before: nameIn(was, image), after: nameIn(image, was) }));
  }
  return changed.length === 0 ? undefined : firstNames(changed, MAX_NAMED);
}

function imagesOf(spec: Fields | undefined): Map<string, string> {
  const containers = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")];
  return new Map(containers.map((container) => [textAt(container, "name"), textAt(container, "image")]));
}

/** The name after the last slash, with a short digest; the whole name when that would not show the difference. */
function nameIn(image: string, other: string): string {
  return shortName(image) === shortName(other) ? image : shortName(image);
}

function shortName(image: string): string {
  return image.slice(image.lastIndexOf("/") + 1).replace(/@sha256:([0-9a-f]{12})[0-9a-f]*$/, "@$1");
}
