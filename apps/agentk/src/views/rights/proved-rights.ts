import { createHash } from "node:crypto";

import type { ViewerRights } from "@binnacle/environment-view";
import type { ResourceKind } from "@binnacle/kube";

import type { Gettable } from "./policy-rules.ts";

/** What was proved of one kind in one place. */
export interface ProvedKind {
  readonly kind: ResourceKind;
  /** Empty for all namespaces, and for cluster scope. */
  readonly namespace: string;
  readonly list: boolean;
  readonly get: Gettable;
}

/** What a viewer may read, as the API server has answered. Viewers with the same `id` may read the same. */
export interface ProvedRights extends ViewerRights {
  readonly id: string;
}

/** The rights of a viewer who may read everything. */
export const EVERYTHING: ProvedRights = { id: "everything", mayList: () => true, mayGet: () => true };

/** @param proved what is not in it may not be read */
export function rightsOf(proved: readonly ProvedKind[]): ProvedRights {
  const given = new Map<string, Pick<ProvedKind, "list" | "get">>();
  for (const { kind, namespace, list, get } of proved) {
    if (list || get === true || get.length > 0) given.set(placeOf(kind, namespace), { list, get });
  }
  const entries = [...given].map(([place, { list, get }]) => [place, list, get]);
  const text = JSON.stringify(entries.toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  return {
    id: createHash("sha256").update(text).digest("base64url"),
    mayList: (kind, namespace) => given.get(placeOf(kind, namespace))?.list === true,
    mayGet: (kind, namespace, name) => {
      const get = given.get(placeOf(kind, namespace))?.get ?? [];
      return get === true || get.includes(name);
    },
  };
}

function placeOf({ group, resource }: ResourceKind, namespace: string): string {
  return `${group}/${resource}/${namespace}`;
}
