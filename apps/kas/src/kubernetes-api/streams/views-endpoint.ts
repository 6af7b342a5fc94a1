import type { IncomingMessage, ServerResponse } from "node:http";

import type { ViewSpec } from "@binnacle/proto/kas-views";
import type { Clock } from "@binnacle/rpc";

import { callerKey, type Caller } from "../../agent-call/call-context.ts";
import type { AuditedAction } from "@binnacle/telemetry/audit";
import { parseSpec, parseSpecs } from "../../views/canonical-spec.ts";
import { SubscriptionBundle } from "../../views/subscription-bundle.ts";
import { VIEW_BOUNDS } from "../../views/view-bounds.ts";
import type { ViewAccess, ViewHub } from "../../views/view-hub.ts";
import type { SubscriptionEvents, ViewSubscription } from "../../views/view-subscription.ts";
import type { ViewsMetrics } from "../../views/views-metrics.ts";
import type { CallerAccess } from "../access/caller-access.ts";
import type { Exchange } from "../http/exchange.ts";
import { recheckAccess } from "../access/live-access.ts";
import { refusalOf } from "../http/proxy-refusal.ts";
import { viewsHeaders } from "../http/response-headers.ts";
import { readStreamRequest } from "./stream-request.ts";
import { ViewsResponse } from "./views-response.ts";

/** What the endpoint needs. */
export interface ViewsEndpointOptions {
  readonly callers: CallerAccess;
  readonly hub: ViewHub;
  readonly clock: Clock;
  readonly metrics: Pick<ViewsMetrics, "bytes">;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** Whether others need what this caller holds. Default: never. */
  readonly isShort?: ((agentId: bigint, caller: Caller) => boolean) | undefined;
}

/** What the record of a request says. */
const VIEWS: AuditedAction = { verb: "watch", apiGroup: "binnacle", resource: "views" };

/**
 * `POST <prefix>binnacle/v1/views` of the Kubernetes proxy: a view of the agent, with the caller's rights, while the caller has them. The body is one
 * binary `kas.v1.ViewSpec`; the answer is a stream of `VIEWS_TYPE`. Credentials and refusals are those of any request to the cluster, and what the
 * agent does not offer is a `Status` 501. `POST <prefix>binnacle/v1/views/many` is the same for several: the body is a `kas.v1.ViewSpecs`, updates bear
 * their numbers.
 */
export class ViewsEndpoint {
  readonly #options: ViewsEndpointOptions;
  readonly #path: string;

  constructor(options: ViewsEndpointOptions) {
    this.#options = options;
    this.#path = `${options.pathPrefix}binnacle/v1/views`;
  }

  /** Answers a request that is for it. @returns false for any other request */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url?.startsWith(this.#path) !== true) return false;
    const [path] = request.url.split("?", 1);
    if (path !== this.#path && path !== `${this.#path}/many`) return false;
    void this.#options.callers.handle(request, response, (exchange) => this.#answer(exchange)); // never rejects
    return true;
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, response, headers, signal, audit } = exchange;
    const { callers, hub, clock, metrics, pathPrefix, isShort } = this.#options;
    const endpoint = { callers, clock, pathPrefix, action: VIEWS, what: "views", maxBytes: VIEW_BOUNDS.bodyBytes };
    const { credential, access, body } = await readStreamRequest(exchange, endpoint);
    const { agentId, caller, identity } = access;
    const isMany = (request.url ?? "").split("?", 1)[0] !== this.#path;
    const specs = isMany ? parseSpecs(body) : [parseSpec(body)];
    const counted = { bytesIn: body.byteLength, bytesOut: 0 };
    audit.counts(counted);
    const stream = new ViewsResponse({
      response,
      clock,
      isShort: () => isShort?.(agentId, caller) ?? false,
      onBytes: (sent) => {
        counted.bytesOut += sent;
        metrics.bytes("out", sent);
      },
    });
    const events = { ready: () => stream.pump(), ended: (fault: Error) => stream.end(refusalOf(fault)) };
    const joined = { agentId, ...(identity && { identity }), owner: callerKey(caller), signal };
    const subscription = isMany ? await this.#joinMany(joined, specs, events) : await hub.join(joined, specs[0] as ViewSpec, events);
    if (response.destroyed) return subscription.close();
    const stopProving = recheckAccess(
      clock,
      () => callers.prove(credential, access),
      (error) => {
        subscription.close();
        stream.end(refusalOf(error));
      },
    );
    response.once("close", () => {
      stopProving();
      subscription.close();
    });
    stream.start(subscription, { ...headers, ...viewsHeaders(hub.engineOf(agentId)) });
  }

  async #joinMany(
    access: ViewAccess,
    specs: readonly ViewSpec[],
    events: Pick<SubscriptionEvents, "ready">,
  ): Promise<Pick<ViewSubscription, "take" | "close">> {
    const bundle = new SubscriptionBundle(() => events.ready());
    await bundle.join(specs.length, (index, ofOne) => this.#options.hub.join(access, specs[index] as ViewSpec, ofOne));
    return bundle;
  }
}
