import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from "node:http";
import type { Http2SecureServer } from "node:http2";
import type { AddressInfo } from "node:net";

import type { Clock } from "@binnacle/rpc";

import { createClientAddress, type ClientAddress } from "../base/client-address.ts";
import type { WebConfig } from "../config/config.ts";
import { edgeRefusalOf, edgeRouteOf, isPageAddress, isProbe, type EdgeRefusal, type EdgeRoute } from "./edge-rules.ts";
import { parseHostPort } from "../config/host-port.ts";
import { DOCUMENT_HEADER, isDocument } from "./document-header.ts";
import { framePage, isForFrame } from "./frame-page.ts";
import { createHttp2Server } from "./http2-server.ts";
import { pathPrefixOf, routeBelow } from "../base/path-prefix.ts";
import { wantsUpgrade, watchConnections, type UpgradeHandler } from "./raw-connections.ts";
import { ClientLeft, readBody } from "./read-body.ts";
import { createSecurityHeaders, type SecurityHeaders } from "./security-headers.ts";
import { BUILD_HEADER } from "../../features/live/build-header.ts";
import { RENEW_HEADER, SESSION_NAME_HEADER } from "./session-name-header.ts";
import type { RefusalReason, RequestOutcome } from "./request-outcome.ts";
import { fetchHeadersOf } from "../base/fetch-headers.ts";

/** Answers requests of both protocols. */
export type WebServer = Server | Http2SecureServer;

/** Answers one request; Next's handler in production. */
type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The tokens of a page's session have ended, or end. */
export type PageRenewal = { readonly url: string } | { readonly inSeconds: number };

/** What answers calls, and knows sessions. */
interface CallAnswers {
  readonly rpc: RequestHandler;
  readonly session: (request: Request) => Promise<Response>;
  /** Where a page's request goes first when the tokens of its session have ended, or else when the page renews them. */
  readonly renewal?: (cookieHeader: string | undefined, returnPath: string) => Promise<PageRenewal | undefined>;
  /** Names the session of a cookie header; `undefined` without one. */
  readonly sessionName: (cookieHeader: string | undefined) => Promise<string | undefined>;
  /** The sign-in that leads back to a route, written without the prefix. */
  readonly signInUrl: (returnPath: string) => string;
}

/** What the server works with. */
export interface WebServerOptions {
  readonly config: Pick<WebConfig, "listen" | "external_url" | "frame_ancestors" | "trusted_proxies">;
  readonly bff: CallAnswers;
  readonly handle: RequestHandler;
  readonly failed: (error: unknown) => void;
  readonly refused: (reason: RefusalReason) => void;
  /** A request has ended. Absent: requests are not counted. */
  readonly requested?: (route: EdgeRoute, outcome: RequestOutcome) => void;
  /** Handler of upgrades, such as WebSockets. Absent: they are rejected. */
  readonly upgrade?: UpgradeHandler;
  readonly clock: Clock;
  /** Names the build of the pages: answers to their calls bear it, so that a page of another build learns of it. */
  readonly build: string;
  /** Whether new visitors should be sent here. */
  readonly ready: () => boolean;
}

/** A header must be there 10 s after the connection, a whole request after 30 s. Node checks every 30 s by default. */
const PATIENCE: ServerOptions = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };

/** Where Next has the files of a build, which are the same for everybody. */
const STATIC_FILES = "/_next/static/";

/** A path that no page has: Next answers it with its page for unknown addresses. */
const NOWHERE = "/_not-found";

/**
 * The dashboard's HTTP server, TLS and HTTP/2 when it has a certificate. What it does itself is what must hold for every answer:
 * headers of security, one client address that clients cannot make up, bounds on headers, methods and bodies. Calls and sessions are the
 * BFF's, pages and their files Next's; pages for viewers without a session lead to the sign-in.
 */
export function createWebServer(options: WebServerOptions): WebServer {
  const { certificate_file, key_file } = options.config.listen;
  const securityHeaders = createSecurityHeaders({
    frameAncestors: options.config.frame_ancestors,
    https: certificate_file !== undefined || options.config.external_url.startsWith("https:"),
  });
  const clientAddress = createClientAddress(options.config.trusted_proxies);
  const listener = createListener(options, securityHeaders, clientAddress);
  const behaviour: ServerOptions = {
    ...PATIENCE,
    // Node's own answer to a request without a host would have none of our headers.
    requireHostHeader: false,
    shouldUpgradeCallback: wantsUpgrade,
  };
  const server: WebServer =
    certificate_file === undefined || key_file === undefined
      ? createServer(behaviour, listener).on("checkExpectation", listener)
      : createHttp2Server(
          { cert: certificate_file.content, key: key_file.content.reveal(), http1: behaviour, clock: options.clock },
          listener,
        );
  const refused = (reason: RefusalReason): void => options.refused(reason);
  const { upgrade } = options;
  const addressed = upgrade && {
    upgrade: (...[request, connection]: Parameters<UpgradeHandler>): void => {
      // As of every other request: from here on there is one address, and it is true.
      request.headers["x-forwarded-for"] = clientAddress(request);
      upgrade(request, connection);
    },
  };
  watchConnections(server, { refused, securityHeaders, ...addressed });
  return server;
}

/** Listens where the configuration says. @returns the address really bound. @throws when the port is taken */
export function listen(server: WebServer, address: string): Promise<string> {
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

function createListener(
  options: WebServerOptions,
  securityHeaders: () => SecurityHeaders,
  clientAddress: ClientAddress,
): (...exchange: Exchange) => void {
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
      if (error instanceof ClientLeft || (request.destroyed && !request.complete)) response.destroy();
      else fail(options, response, error);
    });
  };
}

type Exchange = [request: IncomingMessage, response: ServerResponse];

async function answer(options: WebServerOptions, ...[request, response]: Exchange): Promise<void> {
  const { bff, handle, ready } = options;
  const prefix = pathPrefixOf(options.config.external_url);
  const { target, path, route } = placeOf(request, prefix);
  let hasLeft = false;
  // Over HTTP/2 what answers a client that has left may still finish, into nothing, before its stream closes.
  request.once("aborted", () => (hasLeft = true));
  response.once("close", () => options.requested?.(route, hasLeft ? "aborted" : outcomeOf(response)));
  const refusal = edgeRefusalOf(request, route);
  if (refusal) return refuse(options, response, refusal);
  switch (route) {
    case "liveness":
      return probe(response, true);
    case "readiness":
      return probe(response, ready());
    case "session":
      response.setHeader(BUILD_HEADER, options.build);
      request.url = target;
      return session(options, request, response);
    case "page":
      request.headers[DOCUMENT_HEADER] = isDocument(request) ? "yes" : "no";
      const isKnown = path !== NOWHERE && isPageAddress(path);
      // Files are compressed, pages not: they will hold data next to an address that anybody may choose (docs/security.md, T29).
      if (path.startsWith(STATIC_FILES)) delete request.headers[SESSION_NAME_HEADER];
      else {
        delete request.headers["accept-encoding"];
        // It is sent in pieces, as they are ready.
        response.setHeader("x-accel-buffering", "no");
        if (await preparePage(options, { request, target, isKnown }, response)) return undefined;
      }
      if (!isKnown) request.url = `${prefix}${NOWHERE}`;
      return handle(request, response);
    case "rpc":
      response.setHeader(BUILD_HEADER, options.build);
      request.url = target;
      return bff.rpc(request, response);
  }
}

/** A request's target below the prefix, and who answers it: outside of the prefix are only the probes, and a page that says so. */
function placeOf({ url = "" }: IncomingMessage, prefix: string): { target: string; path: string; route: EdgeRoute } {
  const below = routeBelow(prefix, url);
  const path = pathOf(below ?? url);
  if (below !== undefined || isProbe(path)) return { target: below ?? url, path, route: edgeRouteOf(path) };
  // A target that is no path is refused as such.
  return { target: url, path: NOWHERE, route: "page" };
}

function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

/** Answers yes or no without a reason: the reason is in the log. */
function probe(response: ServerResponse, good: boolean): void {
  response.writeHead(good ? 200 : 503, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(good ? "ok\n" : "not ready\n");
}

async function session(options: WebServerOptions, ...[request, response]: Exchange): Promise<void> {
  const body = await readBody(request, MAX_SESSION_BODY_BYTES);
  if (!body) return refuse(options, response, { status: 413, reason: "body", message: "A sign-in has at most 12 KiB." });
  const origin = new URL(options.config.external_url).origin;
  return answerSession({ request, response, body, origin }, (call) => options.bff.session(call));
}

function fail({ failed }: WebServerOptions, response: ServerResponse, error: unknown): void {
  failed(error);
  if (!response.headersSent) response.writeHead(500);
  response.end();
}

/** What was not read of the request is not wanted: the connection, or the stream of it, ends with the answer. */
function refuse({ refused }: WebServerOptions, response: ServerResponse, { status, reason, message, allow }: EdgeRefusal): void {
  refused(reason);
  response.shouldKeepAlive = false;
  response.writeHead(status, {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...(allow === undefined ? {} : { allow }),
  });
  response.end(JSON.stringify({ reason: "invalid_request", message }));
}

function outcomeOf({ statusCode, headersSent, writableFinished }: ServerResponse): RequestOutcome {
  if (!headersSent || !writableFinished) return "aborted";
  if (statusCode >= 500) return "5xx";
  if (statusCode >= 400) return "4xx";
  return statusCode >= 300 ? "3xx" : "2xx";
}

/**
 * Sets the session of the page. A page that is requested without any session leads to the main
 * application's sign-in, with a return address (docs/design/contract.md "Identity of a viewer" (1)); in a frame, where we may be framed, to
 * a new tab. @returns whether it does
 */
async function preparePage(
  { bff, config }: WebServerOptions,
  { request, target, isKnown }: { readonly request: IncomingMessage; readonly target: string; readonly isKnown: boolean },
  response: ServerResponse,
): Promise<boolean> {
  const name = await bff.sessionName(request.headers.cookie);
  // Pages of one session find each other by this (docs/design/stream.md "One stream for many").
  request.headers[SESSION_NAME_HEADER] = name ?? "";
  request.headers[RENEW_HEADER] = "";
  const isPage = request.method === "GET" && /^\/(?:$|\?|[pg]\/|access-tokens(?:$|\?))/.test(target);
  if (!isPage || !isKnown || request.headers.accept?.includes("text/html") !== true) return false;
  const renewal = name === undefined ? undefined : await bff.renewal?.(request.headers.cookie, target);
  if (renewal !== undefined && "url" in renewal) {
    response.writeHead(302, { location: renewal.url, "cache-control": "no-store" }).end();
    return true;
  }
  request.headers[RENEW_HEADER] = renewal === undefined ? "" : String(renewal.inSeconds);
  if (name !== undefined) return false;
  if (config.frame_ancestors.length > 0 && isForFrame(request)) {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
    response.end(framePage(`${pathPrefixOf(config.external_url)}${target}`));
    return true;
  }
  response.writeHead(302, { location: bff.signInUrl(target), "cache-control": "no-store" }).end();
  return true;
}

/** The longest token and a return address are below this. */
const MAX_SESSION_BODY_BYTES = 12 * 1_024;

/** What a request became: a fetch request for the backend-for-frontend. */
interface SessionCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  /** Origin that browsers call us by. */
  readonly origin: string;
}

/** Answers a request below `/api/session` whose body has been read. */
async function answerSession(call: SessionCall, session: (request: Request) => Promise<Response>): Promise<void> {
  const { response } = call;
  const left = new AbortController();
  response.once("close", () => left.abort());
  const answer = await session(toFetchRequest(call, left.signal));
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

function toFetchRequest({ request, body, origin }: SessionCall, signal: AbortSignal): Request {
  const method = request.method ?? "GET";
  // A GET has no body, whatever was sent with it; a copy, because the body of a Request wants an ArrayBuffer of its own.
  const content = method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(body) };
  return new Request(new URL(request.url ?? "/", origin), { method, headers: fetchHeadersOf(request), signal, ...content });
}
