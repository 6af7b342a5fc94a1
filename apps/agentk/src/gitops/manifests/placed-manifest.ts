import type { ObjectKey, ResourceKind } from "@binnacle/kube";

import type { Manifest } from "./manifest.ts";

/** What a kind must say for its objects to be placed: its URL, and whether its objects live in namespaces. */
export type PlacingKind = Pick<ResourceKind, "group" | "version" | "resource" | "namespaced">;

/** A manifest whose kind and namespace are known. The object bears the namespace. */
export interface PlacedManifest extends Manifest {
  readonly key: ObjectKey;
  readonly kind: PlacingKind;
}
