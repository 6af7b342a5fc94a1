import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { Logger } from "./logger.ts";

/** Where the probe server listens and what it answers from. */
export type ProbeServerOptions = ProbeAddress & ProbeAnswers;

/** An address with a port (0: any free one), or a Unix socket. */
type ProbeAddress = { readonly host: string; readonly port: number } | { readonly path: string };

interface ProbeAnswers {
  readonly paths: { readonly metrics: string; readonly liveness: string; readonly readiness: string };
  /** For example a Registry of prom-client. */
  readonly registry: { readonly contentType: string; metrics(): string | Promise<string> };
  /** What keeps the program from serving, one sentence each; empty: ready. */
  readonly ready: () => readonly string[] | Promise<readonly string[]>;
  readonly log: Logger;
}

/** A running probe server: a module of the program that opened it. */
export interface ProbeServer {
  readonly name: string;
  /** "host:port" as it was bound (IPv6 in brackets), or the path of the socket. */
  readonly address: string;
  /** Settles when the server is closed. */
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const NAME = "observability";
const text = (status: number, body: string): Answer => ({ status, type: "text/plain; charset=utf-8", body });

/**
 * Opens a small HTTP server for metrics and for the probes of Kubernetes. Live means that the process turns its event loop;
 * whether it can serve is readiness.
 *
 * @throws Error that names the listener and its address when it cannot be bound
 */
export async function openProbeServer(options: ProbeServerOptions): Promise<ProbeServer> {
  const { log } = options;
  const where = "path" in options ? { path: options.path } : { host: options.host, port: options.port };
  const server = createServer((request, response) => {
    void answerOf(request, options)
      .catch((error: unknown) => {
        log.error({ error }, "answering a probe failed");
        return text(500, "internal error\n");
      })
      .then((answer) => send(response, answer));
  });
  await new Promise<void>((resolve, reject) => {
    const wanted = "path" in where ? where.path : `${where.host}:${where.port}`;
    const failed = (cause: Error): void => reject(new Error(`${NAME} listener cannot listen on ${wanted}: ${cause.message}`, { cause }));
    server.once("error", failed);
    server.listen(where, () => {
      server.off("error", failed);
      resolve();
    });
  });
  server.on("error", (error) => log.error({ error }, "observability listener failed"));
  return {
    name: NAME,
    address: textOf(server.address()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function textOf(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === "string") return bound ?? "";
  return bound.family === "IPv6" ? `[${bound.address}]:${bound.port}` : `${bound.address}:${bound.port}`;
}

async function answerOf(request: IncomingMessage, options: ProbeServerOptions): Promise<Answer> {
  if (request.method !== "GET") return text(405, "only GET is answered here\n");
  const { paths, registry } = options;
  switch ((request.url ?? "").split("?", 1)[0]) {
    case paths.metrics:
      return { status: 200, type: registry.contentType, body: await registry.metrics() };
    case paths.liveness:
      return text(200, "alive\n");
    case paths.readiness: {
      const problems = await options.ready();
      return problems.length === 0 ? text(200, "ready\n") : text(500, `${problems.join("\n")}\n`);
    }
    default:
      return text(404, "not found\n");
  }
}

function send(response: ServerResponse, { status, type, body }: Answer): void {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...(status === 405 ? { allow: "GET" } : {}) });
  response.end(body);
}
