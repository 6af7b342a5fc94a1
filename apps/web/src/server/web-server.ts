import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

import type { Bff } from "./bff.ts";
import { createClientAddress } from "./client-address.ts";
import type { WebConfig } from "./config.ts";
import { edgeRefusalOf, edgeRouteOf, isReadable, type EdgeRefusal } from "./edge-rules.ts";
import { parseHostPort } from "./host-port.ts";
import { readBody } from "./read-body.ts";
import { createSecurityHeaders, type SecurityHeaders } from "./security-headers.ts";
import { answerSession, MOST_SESSION_BODY_BYTES } from "./session-endpoint.ts";
import type { RefusalReason } from "./web-metrics.ts";

/** Answers one request; Next's handler in production. */
type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What the server works with. */
export interface WebServerOptions {
  readonly config: Pick<WebConfig, "listen" | "external_url" | "frame_ancestors" | "trusted_proxies">;
  readonly bff: Pick<Bff, "hasSession" | "signInUrl" | "session">;
  readonly handle: RequestHandler;
  readonly failed: (error: unknown) => void;
  readonly refused: (reason: RefusalReason) => void;
  /** Whether new visitors should be sent here. */
  readonly ready: () => boolean;
}

/** A header must be there 10 s after the connection, a whole request after 30 s. Node looks every 30 s unless told otherwise. */
const PATIENCE: ServerOptions = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };

/** A path that no page has: Next answers it with its page for unknown addresses. */
const NOWHERE = "/_not-found";

/**
 * The dashboard's HTTP server, TLS when it has a certificate. What it does itself is what must hold for every answer: headers of
 * security, one client address that nobody can make up, bounds on headers, methods and bodies. Everything else is the BFF's or
 * Next's; pages for viewers without a session lead to the sign-in.
 */
export function createWebServer(options: WebServerOptions): Server {
  const { certificate_file, key_file } = options.config.listen;
  const securityHeaders = createSecurityHeaders({
    frameAncestors: options.config.frame_ancestors,
    https: certificate_file !== undefined || options.config.external_url.startsWith("https:"),
  });
  const listener = createListener(options, securityHeaders);
  const behaviour: ServerOptions = {
    ...PATIENCE,
    // Node's own answer to a request without a host would have none of our headers.
    requireHostHeader: false,
    // Nothing here speaks another protocol; Next would install a handler that leaves such sockets open.
    shouldUpgradeCallback: () => false,
  };
  const server =
    certificate_file === undefined || key_file === undefined
      ? createServer(behaviour, listener)
      : createTlsServer({ ...behaviour, handshakeTimeout: 10_000, cert: certificate_file, key: key_file.reveal() }, listener);
  server.on("checkExpectation", listener);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (refuseUnparsed(error, socket, securityHeaders())) options.refused("request");
  });
  return server;
}

/** Listens where the configuration says. @returns the address really bound. @throws when the port is taken */
export function listen(server: Server, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(parseHostPort(address), () => {
      server.off("error", reject);
      // A TCP server that listens has an AddressInfo.
      const bound = server.address() as AddressInfo;
      resolve(`${bound.family === "IPv6" ? `[${bound.address}]` : bound.address}:${bound.port}`);
    });
  });
}

function createListener(options: WebServerOptions, securityHeaders: () => SecurityHeaders): (...exchange: Exchange) => void {
  const clientAddress = createClientAddress(options.config.trusted_proxies);
  return (request, response) => {
    const headers = securityHeaders();
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    // Next takes the nonce from here; what a client sends under these names is not ours.
    request.headers["content-security-policy"] = headers["content-security-policy"];
    delete request.headers["content-security-policy-report-only"];
    // From here on there is one address, and it is true.
    request.headers["x-forwarded-for"] = clientAddress(request);
    answer(options, request, response).catch((error: unknown) => {
      // A client that leaves in the middle of its request is no failure of ours.
      if (request.destroyed && !request.complete) response.destroy();
      else fail(options, response, error);
    });
  };
}

type Exchange = [request: IncomingMessage, response: ServerResponse];

async function answer(options: WebServerOptions, ...[request, response]: Exchange): Promise<void> {
  const { bff, handle, ready } = options;
  const path = (request.url ?? "").split("?", 1)[0] ?? "";
  const route = edgeRouteOf(path);
  const refusal = edgeRefusalOf(request, route);
  if (refusal) return refuse(options, response, refusal);
  switch (route) {
    case "liveness":
      return probe(response, true);
    case "readiness":
      return probe(response, ready());
    case "session":
      return session(options, request, response);
    case "page":
      if (!isReadable(path)) request.url = NOWHERE;
      else if (redirectToSignIn(bff, request, response)) return undefined;
      return handle(request, response);
    case "rpc":
      return handle(request, response);
  }
}

/** Says yes or no, and nothing about why: whoever may know reads the log. */
function probe(response: ServerResponse, good: boolean): void {
  response.writeHead(good ? 200 : 503, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(good ? "ok\n" : "not ready\n");
}

async function session(options: WebServerOptions, ...[request, response]: Exchange): Promise<void> {
  const body = await readBody(request, MOST_SESSION_BODY_BYTES);
  if (!body) return refuse(options, response, { status: 413, reason: "body", message: "A sign-in has at most 4 KiB." });
  const origin = new URL(options.config.external_url).origin;
  return answerSession({ request, response, body, origin }, (call) => options.bff.session(call));
}

function fail({ failed }: WebServerOptions, response: ServerResponse, error: unknown): void {
  failed(error);
  if (!response.headersSent) response.writeHead(500);
  response.end();
}

/** What was not read of the request is not wanted: the connection ends with the answer. */
function refuse({ refused }: WebServerOptions, response: ServerResponse, { status, reason, message, allow }: EdgeRefusal): void {
  refused(reason);
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    connection: "close",
    ...(allow === undefined ? {} : { allow }),
  });
  response.end(JSON.stringify({ reason: "invalid_request", message }));
}

/** What Node's parser gave up: no request, no response object, only a socket. @returns whether there was somebody to tell */
function refuseUnparsed(error: NodeJS.ErrnoException, socket: Socket, headers: SecurityHeaders): boolean {
  const isHttp = error.code?.startsWith("HPE_") === true || error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  // Whoever has not even finished a TLS handshake could not be told: nothing that is written to such a socket ever leaves it.
  if (!isHttp || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return false;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const lines = Object.entries({ ...headers, connection: "close", "content-length": "0" }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n`);
  // Not `end`: a client that never closes its half would keep the socket.
  socket.destroySoon();
  return true;
}

/**
 * docs/design/contract.md "Identity of a viewer" (1): a page asked for without any session leads to the main application's
 * sign-in, with a return address. @returns whether it does
 */
function redirectToSignIn(bff: WebServerOptions["bff"], ...[request, response]: Exchange): boolean {
  const path = request.url ?? "/";
  const isPage = request.method === "GET" && (path === "/" || path.startsWith("/?") || path.startsWith("/p/"));
  if (!isPage || request.headers.accept?.includes("text/html") !== true || bff.hasSession(request.headers.cookie)) return false;
  response.writeHead(302, { location: bff.signInUrl(path), "cache-control": "no-store" }).end();
  return true;
}
