import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

import type { Bff } from "./bff.ts";
import type { WebConfig } from "./config.ts";

/** Answers one request; Next's handler in production. */
type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the server works with. */
export interface WebServerOptions {
  readonly listen: WebConfig["listen"];
  readonly bff: Pick<Bff, "hasSession" | "signInUrl">;
  readonly handle: RequestHandler;
  readonly failed: (error: unknown) => void;
}

/** The dashboard's HTTP server: TLS when it has a certificate, and pages for viewers without a session lead to the sign-in. */
export function createWebServer(options: WebServerOptions): Server {
  const { bff, handle, failed } = options;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const location = signInFor(request, bff);
    if (location !== undefined) {
      response.writeHead(302, { location, "cache-control": "no-store" }).end();
      return;
    }
    handle(request, response).catch((error: unknown) => {
      failed(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  };
  const { certificate_file, key_file } = options.listen;
  if (certificate_file === undefined || key_file === undefined) return createServer(listener);
  return createTlsServer({ cert: certificate_file, key: key_file.reveal() }, listener);
}

/** Listens where the configuration says. @returns the address really bound. @throws when the port is taken */
export function listen(server: Server, address: string): Promise<string> {
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, colon).replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port: Number(address.slice(colon + 1)) }, () => {
      server.off("error", reject);
      // A TCP server that listens has an AddressInfo.
      const bound = server.address() as AddressInfo;
      resolve(`${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`);
    });
  });
}

/**
 * docs/design/contract.md "Identity of a viewer" (1): a page asked for without any session leads to the main application's
 * sign-in, with a return address.
 */
function signInFor(request: IncomingMessage, bff: Pick<Bff, "hasSession" | "signInUrl">): string | undefined {
  const path = request.url ?? "/";
  const isPage = request.method === "GET" && (path === "/" || path.startsWith("/?") || path.startsWith("/p/"));
  if (!isPage || request.headers.accept?.includes("text/html") !== true) return undefined;
  return bff.hasSession(request.headers.cookie) ? undefined : bff.signInUrl(path);
}
