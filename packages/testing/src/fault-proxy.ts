import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import { request as httpsRequest } from "node:https";
import type { AddressInfo, Socket } from "node:net";

import { systemClock, type Clock } from "@binnacle/rpc";

/** What becomes of a request that a rule is for. */
export type ProxyFault =
  /** It is answered here; an object is sent as JSON. */
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: object | string;
    }
  /** It goes on after so long, on the proxy's clock. */
  | { readonly kind: "delay"; readonly ms: number }
  /** Its connection breaks before any answer. */
  | { readonly kind: "cut" }
  /** Each line of its answer is another; `undefined` takes it out. For watches, and for whatever is one line. */
  | { readonly kind: "rewrite"; readonly line: (line: string) => string | undefined };

/** For which requests, and what. */
export interface FaultRule {
  readonly match: (request: FaultyRequest) => boolean;
  readonly fault: ProxyFault;
}

/** A request as rules see it. */
export interface FaultyRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
}

/** Where requests go. */
export interface FaultProxyOptions {
  /** Base URL of the API server. */
  readonly target: string;
  /** PEM text of the authority that signs its certificate. */
  readonly ca?: string;
  /** Bearer token that every request is sent with, instead of the caller's and without impersonation. Default: the caller's. */
  readonly token?: string;
  readonly clock?: Clock;
}

/** An answer that is on its way. */
interface OpenAnswer {
  readonly request: FaultyRequest;
  readonly response: ServerResponse;
  readonly upstream: IncomingMessage;
  /** No further byte of it passes, and neither side gets an error. */
  isFrozen: boolean;
}

/**
 * A proxy before an API server that does what networks and servers do: it answers in the server's place, delays, cuts, freezes the bytes of
 * open answers, and changes lines. Rules hold from the moment in which they are added until they are taken out, the first that matches counts.
 */
export class FaultProxy {
  readonly rules = new Set<FaultRule>();
  /** "GET /api/v1/pods?watch=1", in the order in which they came. */
  readonly requests: string[] = [];
  readonly #options: FaultProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #open = new Set<OpenAnswer>();
  #pending = 0;

  private constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => this.#meet(request, response));
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  /** Listens on a free loopback port. */
  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get url(): string {
    // A TCP server has an address object once it listens.
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Requests that the API server has not begun to answer, or whose answer is short and has not ended: what a test need not wait out. */
  get pending(): number {
    return this.#pending + [...this.#open].filter(({ request, isFrozen }) => !isFrozen && !isWatch(request)).length;
  }

  /** Watches that are open, frozen ones too. */
  watches(match: FaultRule["match"] = () => true): number {
    return [...this.#open].filter(({ request }) => isWatch(request) && match(request)).length;
  }

  /** Adds a rule. @returns takes it out */
  add(match: FaultRule["match"], fault: ProxyFault): () => void {
    const rule = { match, fault };
    this.rules.add(rule);
    return () => void this.rules.delete(rule);
  }

  /** Nothing of these open answers passes any more, not even their end: a NAT has forgotten them. New ones pass. */
  freeze(match: FaultRule["match"]): void {
    for (const open of this.#open) {
      if (!match(open.request)) continue;
      open.isFrozen = true;
      open.upstream.pause();
    }
  }

  /** Ends these open answers: by an orderly end of the answer, of the connection (FIN) or not (RST). */
  end(match: FaultRule["match"], how: "answer" | "fin" | "rst"): void {
    for (const { request, response } of this.#open) {
      if (!match(request)) continue;
      if (how === "answer") response.end();
      else if (how === "fin") response.socket?.end();
      else response.socket?.resetAndDestroy();
    }
  }

  /** Breaks everything off. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const { upstream } of this.#open) upstream.destroy();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #meet(incoming: IncomingMessage, response: ServerResponse): void {
    const url = new URL(incoming.url ?? "/", "http://proxy.invalid");
    const request = {
      method: incoming.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      accept: incoming.headers.accept ?? "",
    };
    this.requests.push(`${request.method} ${incoming.url ?? ""}`);
    response.on("error", () => {});
    const fault = [...this.rules].find(({ match }) => match(request))?.fault;
    switch (fault?.kind) {
      case "answer":
        return this.#answer(incoming, response, fault);
      case "cut":
        incoming.socket.resetAndDestroy();
        return;
      case "delay": {
        const cancel = (this.#options.clock ?? systemClock).after(fault.ms, () => this.#forward(incoming, response, { request }));
        response.once("close", cancel);
        return;
      }
      case "rewrite":
      case undefined:
        return this.#forward(incoming, response, { request, line: fault?.line });
    }
  }

  #answer(incoming: IncomingMessage, response: ServerResponse, { status, headers = {}, body = "" }: ProxyFault & { kind: "answer" }): void {
    incoming.resume();
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  }

  #forward(
    incoming: IncomingMessage,
    response: ServerResponse,
    { request, line }: { readonly request: FaultyRequest; readonly line?: ((line: string) => string | undefined) | undefined },
  ): void {
    const { target, ca, token } = this.#options;
    const url = new URL(target + (incoming.url ?? "/"));
    const headers = headersFor(incoming, token);
    const settings = { method: incoming.method, headers, agent: false, ...(ca === undefined ? {} : { ca }) };
    const outgoing = url.protocol === "https:" ? httpsRequest(url, settings) : httpRequest(url, settings);
    this.#pending += 1;
    let isPending = true;
    const begun = (): void => {
      if (isPending) this.#pending -= 1;
      isPending = false;
    };
    outgoing.on("error", () => {
      begun();
      response.socket?.resetAndDestroy();
    });
    outgoing.on("response", (upstream) => {
      begun();
      this.#pass({ request, response, upstream, isFrozen: false }, line);
    });
    response.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  #pass(open: OpenAnswer, line: ((line: string) => string | undefined) | undefined): void {
    const { response, upstream } = open;
    this.#open.add(open);
    response.on("close", () => this.#open.delete(open));
    const { "content-length": length, ...headers } = upstream.headers;
    response.writeHead(upstream.statusCode ?? 502, { ...headers, ...(length === undefined || line ? {} : { "content-length": length }) });
    response.flushHeaders();
    const lines = line && new Lines(line);
    upstream.on("data", (chunk: Buffer) => {
      const passing = lines ? lines.of(chunk.toString("utf8")) : chunk;
      if (!open.isFrozen && passing.length > 0) response.write(passing);
    });
    upstream.on("end", () => {
      if (!open.isFrozen) response.end(lines?.rest());
    });
    upstream.on("error", () => {});
    // What the API server breaks off is broken off here, too.
    upstream.on("close", () => {
      if (!open.isFrozen && !upstream.complete) response.socket?.resetAndDestroy();
    });
  }
}

/** Changes lines, whatever the pieces in which they come. */
class Lines {
  readonly #line: (line: string) => string | undefined;
  #half = "";

  constructor(line: (line: string) => string | undefined) {
    this.#line = line;
  }

  of(text: string): string {
    const lines = (this.#half + text).split("\n");
    this.#half = lines.pop() ?? "";
    return lines.map((line) => this.#changed(line, "\n")).join("");
  }

  rest(): string {
    return this.#changed(this.#half, "");
  }

  #changed(line: string, end: string): string {
    const changed = line === "" ? "" : this.#line(line);
    return changed === undefined ? "" : changed + end;
  }
}

function isWatch({ query }: FaultyRequest): boolean {
  return query.get("watch") === "1" || query.get("watch") === "true";
}

/** Repeated headers stay repeated: a user has many groups, each in a header of its own. */
function headersFor({ headersDistinct }: IncomingMessage, token: string | undefined): OutgoingHttpHeaders {
  const isOthers = (name: string): boolean => name !== "host" && (token === undefined || !name.startsWith("impersonate-"));
  const others = Object.entries(headersDistinct).filter(([name]) => isOthers(name));
  return { ...Object.fromEntries(others), ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
}
