import type { KubeObject } from "@binnacle/kube";

/** The one decisive fact on a node card; empty when there is none. (Follows.) */
export function factOf(_resource: KubeObject, _related?: readonly KubeObject[]): string {
  return "";
}
