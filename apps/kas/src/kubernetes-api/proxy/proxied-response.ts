import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from "node:http";

import { TURN_BYTES, WRITE_BUDGET_BYTES, type ValuesMap } from "@binnacle/grpc-wire";
import { Fault } from "@binnacle/rpc";

import type { AgentCall } from "../../agent-call/agent-call.ts";
import type { CallClass } from "../../agent-call/call-context.ts";
import type { AnswerHeader } from "../../http-exchange/body-length.ts";
import type { AnswerHead, ExchangeFailure, HttpExchange, HttpExchangeSink, UpgradedEnd } from "../../http-exchange/http-exchange.ts";
import { refusalOfFailure, type ProxyRefusal } from "../http/proxy-refusal.ts";
import { isLeftWaiting, sendContinue } from "../http/request-body.ts";
import { asBytes, headersForClient } from "../http/response-headers.ts";
import { UNBUFFERED } from "../http/stream-headers.ts";
import { UpgradeResponse } from "../http/upgrade-response.ts";
import type { UpgradedConnection } from "./upgraded-connection.ts";
import { budgetHeaders } from "./watch-budget.ts";

/** What a response needs from its request. */
export interface ProxiedResponseOptions {
  readonly response: ServerResponse;
  readonly callClass: CallClass;
  /** Begins and ends with a slash. */
  readonly pathPrefix: string;
  /** It is the answer of a service of the cluster. Default: of the Kubernetes API. */
  readonly isOfService?: boolean;
  /** Headers of ours: CORS, request id, configuration error. */
  readonly headers: OutgoingHttpHeaders;
  /** Answers with a refusal, when nothing was sent yet. */
  readonly refuse: (refusal: ProxyRefusal) => void;
  /** The client has sent `TE: trailers`. */
  readonly takesTrailers: boolean;
  /** Takes over after a 101. Absent: the request does not ask for an upgrade. */
  readonly upgrade?: (header: AnswerHeader, call: AgentCall) => UpgradedConnection;
}

const NEWLINE = 10;
/** Of the answer itself, which follows. */
const OF_ANSWERS = new Set(["content-security-policy", "content-disposition", "x-content-type-options", "referrer-policy"]);

/** An answer that has begun in this turn of the event loop: nothing of it has left. */
interface Begun {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array[];
  bytes: number;
}

/**
 * Writes what the cluster answers to the client. What comes in one turn of the event loop leaves in one write, so that a small answer
 * is one packet; a quiet watch still sends its header at once.
 */
export class ProxiedResponse implements HttpExchangeSink {
  readonly #options: ProxiedResponseOptions;
  #exchange: HttpExchange | undefined;
  #upgraded: UpgradedConnection | undefined;
  #begun: Begun | undefined;
  /** Whether a client reads the body line by line; stored, because sent headers cannot be read back. */
  #isJsonStream = false;
  #trailers: ValuesMap | undefined;
  #lastByte = NEWLINE;
  #corked = false;

  constructor(options: ProxiedResponseOptions) {
    this.#options = options;
    options.response.on("drain", () => this.#exchange?.resume());
  }

  /** The exchange that feeds this response. It may have begun to answer already. */
  attach(exchange: HttpExchange): void {
    this.#exchange = exchange;
    if (!this.#options.response.writableNeedDrain) exchange.resume();
  }

  header({ status, header, contentLength, hops, attempts, watchBudget }: AnswerHead): void {
    const { response, headers, pathPrefix, isOfService, callClass } = this.#options;
    if (response.destroyed) return;
    const forClient = headersForClient(header, pathPrefix, isOfService);
    // The end of a service's answer that has no length is not known: it may be a stream.
    const isStream = contentLength === undefined && (callClass === "watch" || isOfService === true);
    this.#isJsonStream =
      contentLength === undefined &&
      forClient["content-encoding"] === undefined &&
      forClient["content-type"]?.startsWith("application/json") === true;
    // What is ours comes last: no cluster can say it.
    if (contentLength !== undefined && status !== 204) forClient["content-length"] = contentLength;
    Object.assign(forClient, headers);
    if (isStream) Object.assign(forClient, UNBUFFERED);
    forClient["kas-route"] = `hops=${hops}`;
    if (attempts > 1) forClient["kas-attempts"] = String(attempts);
    if (watchBudget !== undefined) Object.assign(forClient, budgetHeaders(watchBudget));
    if (isLeftWaiting(response.req, response)) forClient["connection"] = "close";
    this.#begun = { status, headers: forClient, body: [], bytes: 0 };
    setImmediate(ProxiedResponse.#endOfTurn, this);
  }

  switched(header: AnswerHeader, call: AgentCall): UpgradedEnd {
    const { upgrade } = this.#options;
    if (upgrade === undefined) throw new Fault("answer_broken", "the agent answered 101 unasked");
    return (this.#upgraded = upgrade(header, call));
  }

  continue(): void {
    const { response } = this.#options;
    sendContinue(response.req, response);
  }

  informational(status: number, header: AnswerHeader): void {
    const { response, pathPrefix, isOfService } = this.#options;
    const { socket, req } = response;
    // HTTP/1.1 alone has them here; Node has no call for those other than 100, 102 and 103 with links.
    const takesThem = req.httpVersionMajor === 1 && req.httpVersionMinor >= 1 && !(response instanceof UpgradeResponse);
    if (!takesThem || socket === null || socket.destroyed || response.headersSent || this.#begun !== undefined) return;
    const forClient = Object.entries(headersForClient(header, pathPrefix, isOfService)).filter(([name]) => !OF_ANSWERS.has(name));
    const lines = forClient.flatMap(([name, value = []]) => [value].flat().map((each) => `${name}: ${each}\r\n`));
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Information"}\r\n${lines.join("")}\r\n`, "latin1");
  }

  trailers(trailers: ValuesMap): void {
    if (this.#options.takesTrailers) this.#trailers = trailers;
  }

  data(body: Uint8Array): boolean {
    const { response } = this.#options;
    if (response.destroyed) return true;
    this.#lastByte = body[body.length - 1] ?? NEWLINE;
    if (this.#begun === undefined) {
      this.#cork();
      return response.write(body) || response.writableLength < WRITE_BUDGET_BYTES;
    }
    this.#begun.body.push(body);
    this.#begun.bytes += body.length;
    return this.#begun.bytes < TURN_BYTES;
  }

  end(): void {
    this.#uncork();
    const last = this.#begun?.body.pop();
    this.#flush("last");
    const { response } = this.#options;
    if (response.destroyed) return;
    if (this.#trailers !== undefined) this.#addTrailers(this.#trailers);
    // With its end: a write of its own costs more than a small answer itself.
    response.end(last);
  }

  /** Without chunks, Node drops them: HTTP/1.1 has no other place for them. */
  #addTrailers(trailers: ValuesMap): void {
    const lines = Object.entries(trailers).flatMap(([name, { value }]) => value.map((each): [string, string] => [name, asBytes(each)]));
    if (lines.length > 0) this.#options.response.addTrailers(lines);
  }

  /** Before the header a sentence; after it only a cut connection tells the client that the answer is not whole. */
  fail(failure: ExchangeFailure): void {
    // What came of the answer is the cluster's: it goes out. What breaks a rule goes nowhere.
    const isBegun = this.#begun !== undefined || this.#options.response.headersSent;
    if (isBegun && failure.fault.reason === "tunnel_broken") return this.#cut();
    this.#refuse(refusalOfFailure(failure, this.#options.callClass));
  }

  /** The caller's rights are gone, or kas goes away. A watch hears that as its last event; anything else is cut. */
  endRefused(refusal: ProxyRefusal): void {
    const { response, callClass } = this.#options;
    if (this.#upgraded) return this.#upgraded.cut(refusal.reason === "shutting_down" ? "draining" : "access_withdrawn");
    this.#exchange?.cancel();
    this.#uncork();
    this.#flush();
    // Half an event, or bytes that the client does not take, cannot be followed by another event.
    const canHear = this.#isJsonStream && this.#lastByte === NEWLINE && !response.writableNeedDrain;
    if (response.headersSent && callClass === "watch" && canHear && !response.destroyed) {
      response.end(`${JSON.stringify({ type: "ERROR", object: refusal.status })}\n`);
    } else this.#refuse(refusal);
  }

  endConnection(): void {
    const { response } = this.#options;
    const { socket } = response.req;
    if (response.writableFinished || response.destroyed) socket.destroy();
    else response.once("finish", () => socket.destroy());
  }

  /** Sends what has come, and breaks the connection: header and length, or the missing last chunk, say that it is not whole. */
  #cut(): void {
    this.#uncork();
    this.#flush();
    const { response } = this.#options;
    const { socket } = response;
    if (response.destroyed || socket === null) return void response.destroy();
    socket.end(() => response.destroy());
  }

  #refuse(refusal: ProxyRefusal): void {
    const { response, refuse } = this.#options;
    this.#begun = undefined;
    if (response.destroyed) return;
    if (response.headersSent) response.destroy();
    else refuse(refusal);
  }

  /** What comes in this turn leaves at its end. */
  #cork(): void {
    if (this.#corked) return;
    const { response } = this.#options;
    this.#corked = true;
    response.cork();
    setImmediate(() => this.#uncork());
  }

  /** Before the end at the latest: Node writes the end of a chunked body ahead of what is corked. */
  #uncork(): void {
    const { response } = this.#options;
    if (!this.#corked) return;
    this.#corked = false;
    const { socket } = response;
    if (response.writableEnded) return;
    // Node would write the size of a chunk, each piece of it and its end one by one.
    socket?.cork();
    response.uncork();
    socket?.uncork();
  }

  /** One function for all, so that an answer costs no closure. */
  static #endOfTurn(this: void, answer: ProxiedResponse): void {
    answer.#flush();
  }

  /** Sends what has come in this turn; Node makes one write of it. */
  #flush(what: "last" | "more" = "more"): void {
    const { response } = this.#options;
    const begun = this.#begun;
    this.#begun = undefined;
    if (begun === undefined || response.destroyed || response.headersSent) return;
    response.writeHead(begun.status, begun.headers);
    // writeHead alone keeps the header until the first byte of the body: a quiet watch would look dead.
    if (begun.body.length === 0 && what === "more") response.flushHeaders();
    for (const body of begun.body) response.write(body);
    if (!response.writableNeedDrain) this.#exchange?.resume();
  }
}
