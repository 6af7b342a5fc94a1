import { createStatus, type WatchEvent } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { KubeClientError, type KindStreamRequest, type KubeClient } from "./kube-client.ts";

/** A streamed list. @throws KubeClientError 422 of a client that has none, as a server answers that does not know of them */
export function streamOf(client: KubeClient, request: KindStreamRequest, signal: AbortSignal): AsyncIterable<WatchEvent> {
  if (client.stream) return client.stream(request, signal);
  throw new KubeClientError("api", words("answer/not-streamed"), { status: createStatus(422, "no streamed lists") });
}
