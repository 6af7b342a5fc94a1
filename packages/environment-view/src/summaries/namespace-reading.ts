import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { kindId } from "../scope/kind-plan.ts";
import type { ObjectKeeper } from "../objects/object-keeper.ts";
import type { ViewSource } from "../stream/view-model.ts";
import { refusalOf } from "./kind-census.ts";
import { ObjectShelf, ShelfFullError } from "./object-shelf.ts";
import type { PacedLists } from "./paced-lists.ts";
import { sampledSource } from "./sampled-source.ts";

/** Pods and what makes them, in the order of the requests. */
const WORKLOAD_KINDS: readonly string[] = [
  "/pods",
  "apps/deployments",
  "apps/statefulsets",
  "batch/jobs",
  "apps/replicasets",
  "apps/daemonsets",
];

const DECISIVE: ReadonlySet<string> = new Set(WORKLOAD_KINDS.slice(0, 2));

/** What a reading of one namespace works with. */
export interface NamespaceReadingOptions {
  readonly namespace: string;
  readonly kinds: readonly ResourceKind[];
  readonly lists: PacedLists;
  readonly keeper: ObjectKeeper;
  readonly budget: ByteBudget;
}

/** The workloads of one namespace. */
export interface NamespaceReading {
  readonly kind: "read";
  readonly objects: readonly KubeObject[];
  readonly sources: readonly ViewSource[];
  /** The kinds that were read; the others are as if they were not served. */
  readonly kinds: readonly ResourceKind[];
}

/**
 * Reads pods and what makes them in one namespace, by at most six lists: ReplicaSets only where there is a Deployment or a pod of
 * one, DaemonSets only where there is a pod of one (a DaemonSet makes pods wherever there is a node for it). Without any watch.
 *
 * @returns `forbidden` when the identity may list neither pods nor Deployments, `failed` when one of these two could not be read
 * @throws KubeClientError for a failure that is not about one kind
 */
export async function readNamespace(
  { namespace, kinds, lists, keeper, budget }: NamespaceReadingOptions,
  signal: AbortSignal,
): Promise<NamespaceReading | { readonly kind: "forbidden" | "failed" | "too_large"; readonly words?: Words }> {
  const shelf = new ObjectShelf({ keeper, budget, namespaces: new Set([namespace]) });
  const sources: ViewSource[] = [];
  const [read, refused]: [ResourceKind[], Words[]] = [[], []];
  try {
    for (const id of WORKLOAD_KINDS) {
      const kind = kinds.find((each) => kindId(each) === id && each.verbs.includes("list"));
      if (kind === undefined) continue;
      if (id === "apps/statefulsets" && refused.length === 2) return { kind: "forbidden", ...(refused[0] && { words: refused[0] }) };
      read.push(kind);
      if (refused.length === 0 && !isLikely(id, shelf.of([namespace]))) {
        sources.push(sampledSource(kind, namespace, { state: "live" }));
        continue;
      }
      try {
        for await (const page of lists.list({ kind, namespace, metadataOnly: false }, signal)) {
          if (page === "again") shelf.drop(kind);
          else shelf.add(kind, page);
        }
        sources.push(sampledSource(kind, namespace, { state: "live" }));
      } catch (error) {
        if (error instanceof ShelfFullError) return { kind: "too_large", words: words("summary/no-room") };
        shelf.drop(kind);
        // Where another kind has answered, it is that kind which does not, and not the way there.
        const isSilent = sources.length > 0 && error instanceof KubeClientError && error.failure === "timeout";
        const refusal = isSilent ? ({ kind: "error", words: error.words } as const) : refusalOf(error);
        if (refusal.kind === "unserved") continue;
        if (refusal.kind === "error") {
          // Without its pods or its Deployments a namespace is not half known, it is not known.
          if (DECISIVE.has(id))
            return { kind: "failed", words: words("source/cannot-be-read", { resource: kind.resource, said: refusal.words }) };
          sources.push(sampledSource(kind, namespace, { state: "error", words: refusal.words }));
          continue;
        }
        refused.push(refusal.words);
        sources.push(sampledSource(kind, namespace, { state: "forbidden", words: refusal.words }));
      }
    }
    return { kind: "read", objects: shelf.of([namespace]), sources, kinds: read };
  } finally {
    // What is judged now is soon let go of; the budget bounds what is read at a time.
    shelf.close();
  }
}

function isLikely(id: string, objects: readonly KubeObject[]): boolean {
  if (id === "apps/replicasets") return objects.some(({ kind }) => kind === "Deployment") || isOwned(objects, "ReplicaSet");
  if (id === "apps/daemonsets") return isOwned(objects, "DaemonSet");
  return true;
}

function isOwned(objects: readonly KubeObject[], by: string): boolean {
  return objects.some(({ kind, metadata }) => kind === "Pod" && (metadata.ownerReferences ?? []).some((owner) => owner.kind === by));
}
