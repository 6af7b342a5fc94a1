import { numberAt, fieldsAt, type Fields } from "@binnacle/kube";
import { ActionEffectKind, type ActionEffectSchema } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";

import type { ActionPlan, PlannedObject, PlannedRequest } from "../action-plans/action-plan.ts";
import { ordinalOf, type PodReplacement } from "../action-plans/pod-replacement.ts";
import { toSentWords } from "../base/sent-words.ts";
import type { ActionEffect } from "./action-effect.ts";
import { budgetEffects } from "./budget-effects.ts";
import { JOBS, ownedBy, REPLICA_SETS, uidsOf } from "../action-plans/owned-objects.ts";
import { type Listed, listBeside, namesOf, PODS, type Listing } from "./listed-objects.ts";
import { quotaEffects } from "./quota-effects.ts";
import { selectorTextOf } from "../base/selector-text.ts";

const MAX_EFFECTS = 20;
const MAX_NAMES = 20;

/** Effects of an action on other objects, and what may block it, read as the viewer. What the viewer may not read is reported as not known. */
export async function effectsOf(
  of: PlannedObject,
  request: Pick<PlannedRequest, "name" | "parameters">,
  plan: Pick<ActionPlan, "replacement" | "change">,
): Promise<readonly MessageInitShape<typeof ActionEffectSchema>[]> {
  return (await findEffects(of, request, plan)).slice(0, MAX_EFFECTS).map(toSent);
}

async function findEffects(
  of: PlannedObject,
  { name, parameters }: Pick<PlannedRequest, "name" | "parameters">,
  { replacement, change }: Pick<ActionPlan, "replacement" | "change">,
): Promise<readonly ActionEffect[]> {
  if (name === "scale") return scaleEffects(of, parameters.replicas ?? 0);
  if (name === "evict") return budgetEffects(of);
  if (name === "stop") return podEffects(await podsOf(of), { id: "action/pods-end", kind: ActionEffectKind.REMOVED });
  if (name === "delete") return parameters.propagation === "Orphan" ? [] : removalEffects(await dependentsOf(of));
  if (change.verb === "create" && (name === "run-now" || name === "run-again")) {
    const spec = fieldsAt(change.content, "spec");
    return quotaEffects(of, { pods: spec["suspend"] === true ? 0 : podsAtOnce(spec, 0), jobs: 1, spec });
  }
  if (name === "unsuspend" && of.kind.resource === "jobs") {
    const spec = fieldsAt(of.object, "spec");
    return quotaEffects(of, { pods: podsAtOnce(spec, numberAt(fieldsAt(of.object, "status"), "succeeded") ?? 0), jobs: 0, spec });
  }
  if (replacement?.when !== "now") return [];
  return podEffects(replacedOf(await podsOf(of), replacement), { id: "action/pods-replaced", kind: ActionEffectKind.REPLACED });
}

/** Pods that a Job starts at once, when `succeeded` of its completions have been reached. */
function podsAtOnce(spec: Fields, succeeded: number): number {
  const left = (numberAt(spec, "completions") ?? Infinity) - succeeded;
  return Math.max(0, Math.min(numberAt(spec, "parallelism") ?? 1, left));
}

/** Without the pods below the partition of a StatefulSet. */
function replacedOf(pods: Listed, { firstOrdinal }: PodReplacement): Listed {
  if ("why" in pods || firstOrdinal === undefined) return pods;
  return { items: pods.items.filter(({ metadata: { name } }) => ordinalOf(name) >= firstOrdinal) };
}

/** Fewer replicas: which pods end, where that is certain. More: the quotas that they count against. */
async function scaleEffects(of: PlannedObject, after: number): Promise<readonly ActionEffect[]> {
  const spec = fieldsAt(of.object, "spec");
  const before = numberAt(spec, "replicas") ?? 1;
  if (after > before) return quotaEffects(of, { pods: after - before, jobs: 0, spec });
  if (after === before) return [];
  const pods = await podsOf(of);
  if ("why" in pods) return podEffects(pods, { id: "action/pods-end", kind: ActionEffectKind.REMOVED });
  const count = Math.max(0, pods.items.length - after);
  if (count === 0) return [];
  const names = after === 0 ? namesOf(pods.items) : lastOrdinals(of, namesOf(pods.items), count);
  const id = names === undefined ? "action/pods-end-of" : "action/pods-end";
  return [{ kind: ActionEffectKind.REMOVED, words: words(id, { count, total: pods.items.length }), ...(names && { names }) }];
}

/**
 * A StatefulSet ends the pods with the highest ordinals (Kubernetes documentation, "Deployment and Scaling Guarantees"); of other kinds it
 * is not certain.
 */
function lastOrdinals({ kind }: PlannedObject, names: readonly string[], count: number): readonly string[] | undefined {
  if (kind.resource !== "statefulsets") return undefined;
  return names.toSorted((a, b) => ordinalOf(b) - ordinalOf(a)).slice(0, count);
}

function podEffects(
  pods: Listed,
  { id, kind }: { readonly id: "action/pods-end" | "action/pods-replaced"; readonly kind: ActionEffectKind },
): readonly ActionEffect[] {
  if ("why" in pods) return [{ kind: ActionEffectKind.NOT_KNOWN, words: words("action/pods-unknown", { why: pods.why }) }];
  return [{ kind, words: words(id, { count: pods.items.length }), names: namesOf(pods.items) }];
}

function removalEffects(dependents: readonly Dependents[] | undefined): readonly ActionEffect[] {
  if (dependents === undefined) return [{ kind: ActionEffectKind.NOT_KNOWN, words: words("action/other-dependents-unknown") }];
  return dependents.flatMap(({ kind: { kind }, found }): readonly ActionEffect[] => {
    if ("why" in found) return [{ kind: ActionEffectKind.NOT_KNOWN, words: words("action/dependents-unknown", { kind, why: found.why }) }];
    const { length: count } = found.items;
    return count === 0
      ? []
      : [{ kind: ActionEffectKind.REMOVED, words: words("action/goes-too", { count, kind }), names: namesOf(found.items) }];
  });
}

function toSent({ kind, words: sentence, names = [], isObstacle = false }: ActionEffect): MessageInitShape<typeof ActionEffectSchema> {
  const shown = names.toSorted().slice(0, MAX_NAMES);
  return { kind, words: toSentWords(sentence), names: shown, moreNames: names.length - shown.length, isObstacle };
}

/** Objects of one kind that an object owns, itself or through another one. */
interface Dependents {
  readonly kind: Listing["kind"];
  readonly found: Listed;
}

/** Kinds that are created for each workload, from it down to its pods. */
const OWNED_KINDS: Readonly<Record<string, readonly Listing["kind"][]>> = {
  "apps/deployments": [REPLICA_SETS, PODS],
  "apps/replicasets": [PODS],
  "apps/statefulsets": [PODS],
  "apps/daemonsets": [PODS],
  "batch/cronjobs": [JOBS, PODS],
  "batch/jobs": [PODS],
};

/** Pods that have ended are not touched by a rollout. */
const NOT_ENDED = "status.phase!=Succeeded,status.phase!=Failed";

/** What a workload owns, level by level; `undefined` for any other kind, of which this is not known. */
async function dependentsOf(of: PlannedObject): Promise<readonly Dependents[] | undefined> {
  const kinds = OWNED_KINDS[`${of.kind.group}/${of.kind.resource}`];
  return kinds === undefined ? undefined : ownedOf(of, kinds);
}

/** Pods of a workload that have not ended and are not being deleted. */
async function podsOf(of: PlannedObject): Promise<Listed> {
  const kinds = OWNED_KINDS[`${of.kind.group}/${of.kind.resource}`] ?? [];
  const found = (await ownedOf(of, kinds, NOT_ENDED)).at(-1)?.found ?? { items: [] };
  return "why" in found ? found : { items: found.items.filter(({ metadata }) => metadata.deletionTimestamp === undefined) };
}

async function ownedOf(of: PlannedObject, kinds: readonly Listing["kind"][], podFields?: string): Promise<readonly Dependents[]> {
  const labelSelector = selectorTextOf(of.object);
  const lists = await Promise.all(
    kinds.map((kind) =>
      listBeside(of, {
        kind,
        metadataOnly: true,
        query: { ...(labelSelector !== undefined && { labelSelector }), ...(kind === PODS && podFields && { fieldSelector: podFields }) },
      }),
    ),
  );
  let owners = uidsOf([of.object]);
  let why: Extract<Listed, { why: unknown }> | undefined;
  return kinds.map((kind, index) => {
    const listed = lists[index] ?? { items: [] };
    const found: Listed = why ?? ("why" in listed ? listed : { items: ownedBy(listed.items, owners) });
    // Which pods are owned is not known without the objects between.
    if ("why" in found) why = found;
    else owners = uidsOf(found.items);
    return { kind, found };
  });
}
