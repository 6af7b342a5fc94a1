import type { HttpExchange, HttpExchangeRequest, HttpExchangeSink, HttpExchangeVia } from "./http-exchange.ts";
import { RunningExchange } from "./running-exchange.ts";

/**
 * Makes one HTTP request through an agent's tunnel. This is the one place that speaks the protocol of messages (header, data,
 * trailer) on kas' side: it counts lengths, ends silences, holds both sides to the pace of the slower one, and makes safe requests
 * again that broke before their answer.
 *
 * @returns once a tunnel carries the request: at once where one is free
 * @throws Fault of `AgentRouter.open`
 */
export function openHttpExchange(
  via: HttpExchangeVia,
  request: HttpExchangeRequest,
  sink: HttpExchangeSink,
): HttpExchange | Promise<HttpExchange> {
  return new RunningExchange(via, request, sink).open();
}
