import { KubeClientError } from "@binnacle/environment-view";
import { InvalidPathError, keyOf, listPath, namespacedKind, parseObjectList, type KubeObject } from "@binnacle/kube";

import type { KasKubeClient } from "../kas/kas-kube-client.ts";

/** A slice holds up to a hundred endpoints, sometimes a thousand. */
const MOST_SLICES = 50;
const ENDPOINT_SLICES = namespacedKind({ group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice", resource: "endpointslices" });

/** The EndpointSlices of a Service; `undefined` for what is none, and where they may not be read. @throws KubeClientError `unauthorized` */
export async function slicesOf(client: KasKubeClient, object: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[] | undefined> {
  const { group, kind, namespace, name } = keyOf(object);
  if (group !== "" || kind !== "Service" || namespace === "") return undefined;
  try {
    const path = listPath(ENDPOINT_SLICES, { namespace, limit: MOST_SLICES, labelSelector: `kubernetes.io/service-name=${name}` });
    return parseObjectList(await client.json({ path }, signal), ENDPOINT_SLICES)?.items;
  } catch (error) {
    // A cluster that lies may name a namespace that is none.
    if (error instanceof InvalidPathError) return undefined;
    if (!(error instanceof KubeClientError) || error.failure === "unauthorized") throw error;
    return undefined;
  }
}
