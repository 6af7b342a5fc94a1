import { noMetrics, type RoutingMetrics } from "../agent-call/routing-metrics.ts";
import { authenticateFirst } from "../http2-listener/authenticate-first.ts";
import { Http2Listener, type Http2ListenerOptions, type IncomingStream } from "../http2-listener/http2-listener.ts";
import { Refusals } from "../http2-listener/refusals.ts";
import { handToConnect, type TypedHandler } from "../http2-listener/typed-handler.ts";
import type { JwtGate } from "./jwt-gate.ts";

/** What the API listener needs. */
export interface ApiListenerOptions extends Omit<
  Http2ListenerOptions,
  "name" | "webSocket" | "onStream" | "onSessionDraining" | "onSessionClosed" | "refusals"
> {
  readonly gate: JwtGate;
  /** Answers clients with a valid JWT. */
  readonly connectHandler: TypedHandler;
  readonly metrics?: Pick<RoutingMetrics, "refused">;
}

/**
 * Opens the port the main application dials. Every request of every method must bear a JWT. It accepts at once.
 *
 * @throws Error that names the listener and its address
 */
export function openApiListener(options: ApiListenerOptions): Promise<Http2Listener> {
  const { clock, log, gate, connectHandler, metrics = noMetrics } = options;
  const refusals = new Refusals({ listener: "api", clock, log, metrics });
  return Http2Listener.open({
    ...options,
    name: "api",
    webSocket: false,
    refusals,
    onStream: authenticateFirst({
      authenticate(incoming) {
        showEveryAuthorization(incoming);
        return gate.check(incoming.headers.authorization ?? null);
      },
      answer: (incoming) => handToConnect(incoming, connectHandler, refusals),
      refusals,
      log,
    }),
  });
}

/**
 * Passes every value of `authorization` to the check of the token: Node returns the first of several and hides the rest, and a proxy in front
 * of kas may have checked another one. Joined, they are no bearer token, so the call is rejected.
 */
export function showEveryAuthorization({ headers, rawHeaders }: Pick<IncomingStream, "headers" | "rawHeaders">): void {
  const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === "authorization");
  if (values.length > 1) headers.authorization = values.join(", ");
}
