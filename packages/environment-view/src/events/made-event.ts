import type { KubeObject } from "@binnacle/kube";

/** For tests: an Event of core/v1 about a Pod of the namespace "app"; `about` says otherwise. */
export function madeEvent(
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
  about: Readonly<Record<string, string>> = {},
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace: "app", creationTimestamp: "2026-01-01T00:00:00Z" },
    type: "Warning",
    reason: "Failed",
    message: "it failed",
    involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "app", name: "web-1-x", uid: "p", ...about },
    ...fields,
  };
}
