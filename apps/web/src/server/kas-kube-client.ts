import {
  apiFailureOf,
  HttpKubeClient,
  KubeClientError,
  type ByteBudget,
  type KubeRequest,
  type KubeResponse,
  type KubeTransport,
} from "@binnacle/environment-view";
import { causeOf } from "@binnacle/kube";
import { Fault } from "@binnacle/rpc";

import { discard, headerOf, type DialResponse, type HttpDialer } from "./http-dialer.ts";
import { isRefusedByKas } from "./main-application.ts";

/** What a client works with. */
export interface KasKubeClientOptions {
  readonly dialer: HttpDialer;
  /** What answers of all clusters may hold while they are read. */
  readonly reading: ByteBudget;
  /** Headers of the viewer's credential; with `renew` fresh ones, or `undefined` when there are none. */
  readonly headers: (ask: { renew: boolean; signal: AbortSignal }) => Promise<Record<string, string> | undefined>;
  /** The newest agent configuration is broken (`Kas-Agent-Config-Error`); `undefined` when it is not. */
  readonly configurationError: (value: string | undefined) => void;
}

/** The Kubernetes API behind kas's k8s-proxy, as one viewer. */
export class KasKubeClient extends HttpKubeClient {
  constructor(options: KasKubeClientOptions) {
    super(new KasTransport(options), { reading: options.reading });
  }
}

/** The way through the k8s-proxy: the viewer's credential, renewed once when kas refuses it, and what kas says of the way. */
class KasTransport implements KubeTransport {
  readonly #options: KasKubeClientOptions;

  constructor(options: KasKubeClientOptions) {
    this.#options = options;
  }

  async request(request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> {
    const first = await this.#attempt(request, { renew: false, signal });
    let response = first;
    if (first && isRefusedByKas(first)) {
      discard(first);
      response = await this.#attempt(request, { renew: true, signal });
    }
    if (!response || isRefusedByKas(response)) {
      if (response) discard(response);
      throw new KubeClientError("unauthorized", "kas does not accept the credential for this agent");
    }
    if (response.statusCode >= 400) throw await failureOf(responseOf(response), this.#options.reading);
    this.#options.configurationError(headerOf(response, "kas-agent-config-error"));
    return responseOf(response);
  }

  async #attempt(request: KubeRequest, ask: { renew: boolean; signal: AbortSignal }): Promise<DialResponse | undefined> {
    try {
      const headers = await this.#options.headers(ask);
      if (!headers) return undefined;
      return await this.#options.dialer.request({
        method: request.method,
        path: request.path,
        headers: {
          accept: request.accept,
          ...(request.ifNoneMatch === undefined ? {} : { "if-none-match": request.ifNoneMatch }),
          ...(request.body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        signal: ask.signal,
        ...(request.body === undefined ? {} : { body: request.body }),
      });
    } catch (error) {
      if (error instanceof Fault && error.reason === "session_ended")
        throw new KubeClientError("unauthorized", error.message, { cause: error });
      throw new KubeClientError("connection", error instanceof Fault ? error.message : "kas does not answer", { cause: error });
    }
  }
}

/** A refusal of kas or of the API server, by the table of docs/design/contract.md "Status codes of the k8s-proxy". */
async function failureOf(response: KubeResponse, budget: ByteBudget): Promise<KubeClientError> {
  const error = await apiFailureOf(response, { budget });
  const { message, status, retryAfterSeconds } = error;
  const isOfKas = response.header("kas-refusal") !== undefined;
  const options = { status, retryAfterSeconds };
  // Only kas says so; the API server's own 503 and 504 belong to one kind, not to the way there.
  if (response.status === 503 && isOfKas) {
    // The same code says that kas cannot ask the main application, Redis or a peer; the cause tells them apart.
    const offline = status !== undefined && causeOf(status) === "agent_not_connected";
    return new KubeClientError(offline ? "agent_offline" : "connection", message, options);
  }
  if ((response.status === 504 || response.status === 429) && isOfKas) return new KubeClientError("busy", message, options);
  if (response.status === 502) return new KubeClientError("connection", message, options);
  return error;
}

function responseOf(response: DialResponse): KubeResponse {
  const { body } = response;
  return {
    status: response.statusCode,
    header: (name) => headerOf(response, name),
    // undici's body yields Buffers as long as no encoding is set.
    body,
    close() {
      body.on("error", () => {});
      body.destroy();
    },
  };
}
