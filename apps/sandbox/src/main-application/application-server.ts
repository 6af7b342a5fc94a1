import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { Application } from "./application.ts";
import { handleRequest } from "./application-handler.ts";
import { jsonReply, readRequest, sendReply } from "./http-exchange.ts";

/** Certificate and key in PEM. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** A listening server. */
export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves the main application's stand-in on loopback.
 *
 * @param options.port 0 is any free port
 * @throws the error of `listen`, with its `code` ("EADDRINUSE")
 */
export async function startApplicationServer(
  app: Application,
  options: { readonly port: number; readonly tls?: TlsPair | undefined },
): Promise<RunningServer> {
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    handle(app, request, response).catch((error: unknown) => {
      app.log.error({ error, path: request.url }, "a request failed");
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
  const server = options.tls ? createHttpsServer({ cert: options.tls.cert, key: options.tls.key }, answer) : createHttpServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function handle(app: Application, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = await readRequest(message);
  if (!request) return sendReply(response, jsonReply(400, { error: "the request is malformed or too large" }));
  const reply = await handleRequest(app, request);
  app.log.debug({ method: request.method, path: request.path, status: reply.status }, "request answered");
  return sendReply(response, reply);
}
