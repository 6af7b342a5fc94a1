import { createStatus } from "@binnacle/kube";

import { apiCodeOf, KubeClientError } from "../base/kube-client.ts";

/**
 * Who refuses streamed lists, so that nobody asks twice. A refusal of a group that the API server itself serves holds for the
 * whole server; another group may have a server of its own, older or simpler than that one.
 */
export class StreamRefusals {
  readonly #groups = new Map<string, KubeClientError>();
  #server: KubeClientError | undefined;

  /** @throws KubeClientError the refusal that is known already */
  check(group: string): void {
    const known = this.#server ?? this.#groups.get(group);
    if (known) throw known;
  }

  /** Takes note when the error is a refusal of the way of asking: what is asked for is for others to judge. */
  remember(group: string, error: unknown): void {
    const code = apiCodeOf(error);
    if (code !== 400 && code !== 422) return;
    const message = error instanceof Error ? error.message : "";
    // A copy: what else the server said with it would be kept for as long as the client.
    const refusal = new KubeClientError("api", message, { status: createStatus(code, message) });
    if (isOfServer(group)) this.#server = refusal;
    else this.#groups.set(group, refusal);
  }
}

/** Groups without a dot are Kubernetes' own: core, apps, batch. */
function isOfServer(group: string): boolean {
  return !group.includes(".");
}
