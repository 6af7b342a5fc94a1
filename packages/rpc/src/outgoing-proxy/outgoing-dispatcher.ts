import type { ConnectionOptions } from "node:tls";
import { getCACertificates } from "node:tls";

import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";

import { proxyRefusal, type OutgoingProxy } from "./outgoing-proxy.ts";

/** A proxy that does not respond for so long is named in the error; callers have deadlines of 15 s and more. */
const CONNECT_DEADLINE_MS = 10_000;

/** How to reach one upstream. */
export interface OutgoingDispatcherOptions {
  readonly proxy: OutgoingProxy | undefined;
  /** TLS with the upstream. */
  readonly tls: Pick<ConnectionOptions, "servername" | "checkServerIdentity"> & {
    /** PEM text of the authorities of the upstream; of a proxy they are trusted besides the built-in ones. */
    readonly ca?: string | undefined;
  };
  /** Until a TCP connection stands. */
  readonly connectTimeoutMs?: number;
  /** For tests. */
  readonly connectDeadlineMs?: number;
  readonly agent: Omit<Agent.Options, "connect" | "factory">;
}

/**
 * HTTP/1.1 to an upstream (watches are many and long; HTTP/2 would put them under one connection's window): directly, or through tunnels (CONNECT) of a proxy, also for plain HTTP, so that no proxy reads or repeats a request.
 * Errors of a proxy are sentences with its name, without its credentials.
 */
export function outgoingDispatcher({ proxy, tls, connectTimeoutMs, agent, ...rest }: OutgoingDispatcherOptions): Dispatcher {
  const { ca, ...identity } = tls;
  const upstream = { ...(ca === undefined ? {} : { ca }), ...identity };
  const timeout = connectTimeoutMs === undefined ? {} : { timeout: connectTimeoutMs };
  if (proxy === undefined) return new Agent({ ...agent, allowH2: false, connect: { ...timeout, ...upstream } });
  const deadlineMs = rest.connectDeadlineMs ?? CONNECT_DEADLINE_MS;
  return new EnvHttpProxyAgent({
    ...agent,
    allowH2: false,
    // What NO_PROXY exempts has been decided: by one reading for all of our programs, which knows ranges.
    noProxy: "",
    httpProxy: proxy.name,
    httpsProxy: proxy.name,
    proxyTunnel: true,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    requestTls: upstream,
    proxyTls: { ...timeout, ...(ca === undefined ? {} : { ca: [...getCACertificates("default"), ca] }) },
    clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: deadlineMs }).compose(namesProxy(proxy)),
  });
}

/** Says of a failed CONNECT that it was the proxy's. */
function namesProxy(proxy: OutgoingProxy): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    const authority = request.path;
    return dispatch(request, {
      onRequestStart: (...parts) => handler.onRequestStart?.(...parts),
      onRequestUpgrade(...parts) {
        const [controller, status, , socket] = parts;
        if (status >= 200 && status <= 299) return handler.onRequestUpgrade?.(...parts);
        socket.on("error", () => {}).destroy();
        handler.onResponseError?.(controller, new ProxyError(proxyRefusal(proxy, authority, status)));
      },
      onResponseStart: (...parts) => handler.onResponseStart?.(...parts),
      onResponseData: (...parts) => handler.onResponseData?.(...parts),
      onResponseEnd: (...parts) => handler.onResponseEnd?.(...parts),
      onResponseError(controller, error) {
        handler.onResponseError?.(controller, new ProxyError(failureOf(error, proxy, authority), { cause: error }));
      },
    });
  };
}

/** A failure of the proxy, not of the upstream. The request was not sent. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
}

function failureOf(error: Error, { name }: OutgoingProxy, authority: string): string {
  const code: unknown = Reflect.get(error, "code");
  if (code === "UND_ERR_HEADERS_TIMEOUT")
    return `the proxy ${name} accepted the connection and gave no answer in time to CONNECT ${authority}`;
  if (code === "UND_ERR_SOCKET") return `the proxy ${name} closed the connection without an answer to CONNECT ${authority}`;
  return `the proxy ${name} cannot be reached: ${error.message || String(code)}`;
}
