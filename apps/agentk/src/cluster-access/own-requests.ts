import type { KubeTransport, RequestPace } from "@binnacle/environment-view/transport";
import type { Clock } from "@binnacle/rpc";

import type { ImpersonatedIdentity } from "./impersonation.ts";
import type { ClusterClient } from "./cluster-client.ts";

/** How long a request may be retried while the API server is overloaded; a rejection that lasts longer is passed to the caller. */
const MAX_PATIENCE_MS = 120_000;

/** How fast the agent asks by itself. */
export interface OwnRequestsOptions {
  readonly cluster: ClusterClient;
  readonly clock: Clock;
  /** Requests a second, and at once after a rest, of all parts together. */
  readonly qps: number;
  readonly burst: number;
}

/** Who asks. */
export interface OwnRequester {
  /** Named in User-Agent: "gitops", "views". */
  readonly part: string;
  /** The identity that is impersonated; absent: the agent's own. */
  readonly identity?: ImpersonatedIdentity;
  /** Does not queue behind the others: for what is rare and must not be late. */
  readonly isUrgent?: boolean;
}

/**
 * Requests that the agent makes by itself, as opposed to those that it forwards: at a pace that all its parts share, and patient with an API
 * server that has no room for them. The code for them is loaded when the first transport is requested.
 */
export class OwnRequests {
  readonly #options: OwnRequestsOptions;
  #pace: RequestPace | undefined;

  constructor(options: OwnRequestsOptions) {
    this.#options = options;
  }

  /** The way to the cluster for one part of the agent. @throws Fault `invalid_request` for an identity that cannot be written as headers */
  async transport(requester: OwnRequester): Promise<KubeTransport> {
    return (await this.transports())(requester);
  }

  /** Transports to the cluster by requester, once their code is loaded. What it returns throws as `transport` rejects. */
  async transports(): Promise<(requester: OwnRequester) => KubeTransport> {
    const { cluster, clock, qps, burst } = this.#options;
    const [{ createPatientTransport, RequestPace }, { createOwnTransport }] = await Promise.all([
      import("@binnacle/environment-view/transport"),
      import("./own-transport.ts"),
    ]);
    const pace = (this.#pace ??= new RequestPace(clock, qps, burst));
    return ({ part, identity, isUrgent = false }) => {
      const own = createOwnTransport(cluster, { part, clock, ...(identity === undefined ? {} : { identity }) });
      return createPatientTransport(own, { mostMs: MAX_PATIENCE_MS, clock, ...(isUrgent ? {} : { pace }) });
    };
  }
}
