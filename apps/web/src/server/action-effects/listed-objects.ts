import { apiCodeOf, KubeClientError } from "@binnacle/environment-view";
import {
  ACCEPT_JSON,
  ACCEPT_METADATA_LIST,
  listPath,
  namespacedKind,
  parseObjectList,
  type KubeObject,
  type ListQuery,
} from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { PlannedObject } from "../action-plans/action-plan.ts";

/** Kinds that effects are about. */
export const PODS = namespacedKind({ group: "", version: "v1", kind: "Pod", resource: "pods" });
export const BUDGETS = namespacedKind({ group: "policy", version: "v1", kind: "PodDisruptionBudget", resource: "poddisruptionbudgets" });
export const QUOTAS = namespacedKind({ group: "", version: "v1", kind: "ResourceQuota", resource: "resourcequotas" });
export const LIMIT_RANGES = namespacedKind({ group: "", version: "v1", kind: "LimitRange", resource: "limitranges" });

const MAX_LISTED = 1_000;
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** What is listed. */
export interface Listing {
  readonly kind: typeof PODS;
  readonly query?: Pick<ListQuery, "labelSelector" | "fieldSelector">;
  /** Without their specifications. Default: with them. */
  readonly metadataOnly?: boolean;
}

/** Objects of a namespace, or why they are not known. */
export type Listed = { readonly items: readonly KubeObject[] } | { readonly why: Words };

/** Lists objects of the namespace of an object as the viewer; without the right, or when there are more than 1,000, they are not known. */
export async function listBeside({ client, object, signal }: PlannedObject, { kind, query, metadataOnly }: Listing): Promise<Listed> {
  const { namespace = "" } = object.metadata;
  const about = { resource: kind.resource, namespace };
  try {
    const path = listPath(kind, { namespace, limit: MAX_LISTED, ...query });
    const accept = metadataOnly === true ? `${ACCEPT_METADATA_LIST},${ACCEPT_JSON}` : ACCEPT_JSON;
    const list = parseObjectList(await client.json({ path, accept, mostBytes: MAX_ANSWER_BYTES }, signal), kind);
    if (list === undefined) return { why: words("answer/not-of-api") };
    if (list.continueToken !== "") return { why: words("action/list-too-long", { ...about, most: MAX_LISTED }) };
    return { items: list.items };
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return { why: apiCodeOf(error) === 403 ? words("action/may-not-list", about) : error.words };
  }
}

/** Names of objects. */
export function namesOf(objects: readonly KubeObject[]): readonly string[] {
  return objects.map(({ metadata: { name } }) => name);
}
