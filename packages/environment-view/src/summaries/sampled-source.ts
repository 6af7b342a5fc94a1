import { countsForHealth, kindId } from "../scope/kind-plan.ts";
import type { ResourceKind } from "@binnacle/kube";
import type { Words } from "@binnacle/words";

import type { ViewSource } from "../stream/view-model.ts";

/** How a look has seen a kind. */
export interface SeenKind {
  readonly state: "live" | "forbidden" | "error";
  /** Why it was not seen, for people. */
  readonly words?: Words;
}

/** A kind in a namespace as the roll-up wants to hear of it. */
export function sampledSource(kind: ResourceKind, namespace: string, { state, words }: SeenKind): ViewSource {
  return {
    id: `${kindId(kind)}/${namespace}`,
    group: kind.group,
    version: kind.version,
    resource: kind.resource,
    kind: kind.kind,
    namespace,
    settled: state,
    shown: 0,
    total: 0,
    ...(words === undefined ? {} : { words }),
    countsForHealth: countsForHealth(kind),
  };
}
