import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";

import {
  checkRequest,
  KubeClientError,
  requestHeaders,
  Upload,
  type KubeRequest,
  type KubeResponse,
  type KubeTransport,
  type RequestStage,
} from "@binnacle/environment-view/transport";
import { Fault, systemClock, type Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import { PRODUCT } from "../base/build-info.ts";
import { impersonationHeaders, type ImpersonatedIdentity } from "./impersonation.ts";
import { headerValue } from "./header-value.ts";
import type { ClusterClient, ClusterRequest, RunningRequest } from "./cluster-client.ts";

/** From the end of the request on, as for any transport straight to an API server. */
const ANSWER_TIMEOUT_MS = 60_000;

/** Who asks, and for what part of the agent. */
export interface OwnTransportOptions {
  /** The identity that is impersonated; absent: the agent's own. Not possible where the agent's kubeconfig impersonates an identity itself. */
  readonly identity?: ImpersonatedIdentity;
  /** Added to the agent's name in User-Agent, so that audit logs tell what asks: "gitops", "views". */
  readonly part: string;
  readonly clock?: Clock;
}

/**
 * The way to the agent's own cluster over the agent's own connections, with its own credential.
 *
 * Loaded by what needs it and by nothing else: an agent that only forwards has no use for the packages behind it.
 *
 * @throws Fault `invalid_request` for an identity that cannot be written as headers, or beside one of the kubeconfig
 */
export function createOwnTransport(client: Pick<ClusterClient, "request" | "identity">, options: OwnTransportOptions): KubeTransport {
  const { identity, part, clock = systemClock } = options;
  const lines = impersonationHeaders({ own: client.identity, kas: identity, client: [] });
  const always = ["User-Agent", `${PRODUCT} ${part}`, ...lines.flatMap(([name, value]) => [name, headerValue(name, value)])];
  return {
    async request(request, signal) {
      checkRequest(request);
      if (signal.aborted) throw aborted(signal, "not_started");
      return await new Promise((resolve, reject) => new OwnRequest({ client, clock, always, resolve, reject }).send(request, signal));
    },
  };
}

interface OwnRequestOptions {
  readonly client: Pick<ClusterClient, "request">;
  readonly clock: Clock;
  readonly always: readonly string[];
  readonly resolve: (response: KubeResponse) => void;
  readonly reject: (error: KubeClientError) => void;
}

/** One request, and its answer until its body has ended. */
class OwnRequest {
  readonly #options: OwnRequestOptions;
  #stage: RequestStage = "not_started";
  #running: RunningRequest | undefined;
  #upload: Upload | undefined;
  #body: Readable | undefined;
  #ended = false;
  #leave = (): void => {};
  #cancelTimeout = (): void => {};

  constructor(options: OwnRequestOptions) {
    this.#options = options;
  }

  send(request: KubeRequest, signal: AbortSignal): void {
    const onAbort = (): void => this.#fail(aborted(signal, this.#stage));
    signal.addEventListener("abort", onAbort, { once: true });
    this.#leave = () => signal.removeEventListener("abort", onAbort);
    const running = this.#options.client.request(this.#clusterRequest(request), {
      started: () => (this.#stage = "started"),
      header: (status, _text, headers) => this.#answer(status, headers),
      data: (chunk) => {
        if (this.#body?.push(chunk) === false) this.#running?.pause();
      },
      end: () => {
        this.#end(new Error("the request has ended"));
        this.#body?.push(null);
      },
      error: (error) => this.#fail(failureOf(error, this.#stage)),
    });
    this.#running = running;
    // It may have failed, or been given up, before there was anything to break off.
    if (this.#ended) running.abort(new Error("given up"));
  }

  #clusterRequest(request: KubeRequest): ClusterRequest {
    const { method, path: target, body } = request;
    const headers = [...Object.entries(requestHeaders(request)).flat(), "accept-encoding", "identity", ...this.#options.always];
    if (body === undefined || typeof body === "string") {
      this.#expectAnswer();
      const bytes = body === undefined ? undefined : Buffer.from(body);
      return { method, target, headers, contentLength: bytes?.byteLength, body: bytes };
    }
    const { clock } = this.#options;
    this.#upload = new Upload(body, { clock, stalled: (error) => this.#fail(error), sent: () => this.#expectAnswer() });
    return { method, target, headers, contentLength: undefined, body: this.#upload };
  }

  #answer(status: number, headers: IncomingHttpHeaders): void {
    if (this.#ended) return;
    this.#cancelTimeout();
    this.#upload?.hold();
    const body = new Readable({
      read: () => this.#running?.resume(),
      destroy: (error, done) => {
        this.#end(error ?? new Error("the response was closed by its reader"));
        done(error);
      },
    });
    // An error of a response that is no longer read must not end the process.
    body.on("error", () => {});
    this.#body = body;
    this.#options.resolve({
      status,
      header(name) {
        const value = headers[name.toLowerCase()];
        return typeof value === "string" ? value : value?.[0];
      },
      // No encoding is set, so the chunks are Buffers.
      body,
      close: () => void body.destroy(),
    });
  }

  #expectAnswer(): void {
    if (this.#ended) return;
    this.#cancelTimeout = this.#options.clock.after(ANSWER_TIMEOUT_MS, () =>
      this.#fail(new KubeClientError("connection", words("request/no-answer-in-time"))),
    );
  }

  #fail({ failure, words, cause }: KubeClientError): void {
    const error = new KubeClientError(failure, words, { cause, stage: this.#stage });
    this.#end(error);
    if (this.#body) this.#body.destroy(error);
    else this.#options.reject(error);
  }

  #end(reason: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#cancelTimeout();
    this.#leave();
    this.#upload?.cut(reason);
    this.#running?.abort(reason);
  }
}

function aborted(signal: AbortSignal, stage: RequestStage): KubeClientError {
  return new KubeClientError("connection", words("request/aborted"), { cause: signal.reason, stage });
}

/** What broke an upload off says so itself; the client has wrapped it. */
function failureOf(error: unknown, stage: RequestStage): KubeClientError {
  const cause = error instanceof Fault && error.cause instanceof KubeClientError ? error.cause : error;
  if (cause instanceof KubeClientError) return cause;
  return new KubeClientError("connection", words("request/api-silent"), { cause, stage });
}
