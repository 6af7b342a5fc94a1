import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { Counter, Gauge, type Registry } from "prom-client";

import type { StreamBytes } from "../wire/send-answer.ts";

/** What is counted of calls of the service. Methods are the service's own, codes are Connect's: both are closed sets. */
export interface CallMetrics {
  /** A call begins. @returns say once how it ended; `undefined` is well */
  begin(call: { readonly method: string; readonly stream: boolean }): (code: Code | undefined) => void;
  readonly streamBytes: StreamBytes;
}

/** Declares them. */
export function createCallMetrics(registry: Registry): CallMetrics {
  const registers = [registry];
  const calls = new Counter({
    name: "web_calls_total",
    help: "Calls of browsers that have ended, by method and code",
    labelNames: ["method", "code"],
    registers,
  });
  const open = new Gauge({ name: "web_streams_open", help: "Live streams to browsers", labelNames: ["method"], registers });
  const bytes = new Counter({
    name: "web_stream_bytes_total",
    help: "Bytes of live streams: as messages, and as they were sent, compressed or not",
    labelNames: ["stage"],
    registers,
  });
  return {
    begin({ method, stream }) {
      if (stream) open.labels(method).inc();
      return (code) => {
        if (stream) open.labels(method).dec();
        calls.labels(method, code === undefined ? "ok" : codeToString(code)).inc();
      };
    },
    streamBytes: (stage, count) => bytes.labels(stage).inc(count),
  };
}

/** Counts each call and how it ended; a stream whose reader leaves ends with "canceled". Stands first: it sees codes, not causes. */
export function countCalls(metrics: CallMetrics): Interceptor {
  return (next) => async (request) => {
    const end = metrics.begin({ method: request.method.name, stream: request.stream });
    try {
      const response = await next(request);
      if (response.stream) return { ...response, message: counted(response.message, request.signal, end) };
      end(undefined);
      return response;
    } catch (error) {
      end(ConnectError.from(error).code);
      throw error;
    }
  };
}

async function* counted<T>(messages: AsyncIterable<T>, left: AbortSignal, end: (code: Code | undefined) => void): AsyncIterable<T> {
  let code: Code | undefined = Code.Canceled;
  try {
    yield* messages;
    if (!left.aborted) code = undefined;
  } catch (error) {
    ({ code } = ConnectError.from(error));
    throw error;
  } finally {
    end(code);
  }
}

/** What is counted of a kind of socket. */
interface SocketMetrics {
  /** A socket begins. @returns to be called once, with the outcome, which is of a closed set */
  begin(): (outcome: string) => void;
}

/** Declares it for terminals. Absent registry: nothing is counted. */
export function createTerminalMetrics(registry: Registry | undefined): SocketMetrics {
  return createSocketMetrics(registry, { name: "web_terminals", what: "Terminals" });
}

/** Declares it for sockets of logs. Absent registry: nothing is counted. */
export function createLogsSocketMetrics(registry: Registry | undefined): SocketMetrics {
  return createSocketMetrics(registry, { name: "web_log_sockets", what: "Sockets of logs" });
}

function createSocketMetrics(
  registry: Registry | undefined,
  { name, what }: { readonly name: string; readonly what: string },
): SocketMetrics {
  if (registry === undefined) return { begin: () => () => undefined };
  const registers = [registry];
  const open = new Gauge({ name, help: `${what} that are open`, registers });
  const ended = new Counter({
    name: `${name}_ended_total`,
    help: `${what} that have ended, by how they did`,
    labelNames: ["outcome"],
    registers,
  });
  return {
    begin() {
      open.inc();
      return (outcome) => {
        open.dec();
        ended.labels(outcome).inc();
      };
    },
  };
}
