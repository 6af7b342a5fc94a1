import {
  apiFailureOf,
  checkRequest,
  isRepeatable,
  KubeClientError,
  requestHeaders,
  type ByteBudget,
  type KubeFailure,
  type KubeRequest,
  type KubeResponse,
  type KubeTransport,
  type RequestStage,
} from "@binnacle/environment-view";
import { causeOf, type KubernetesStatus } from "@binnacle/kube";
import { Fault, systemClock, type Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";

import { wordsOfFault } from "../base/message-fault.ts";
import type { UpstreamState } from "./agent-absences.ts";
import { ASSUMED_WATCHES, type KasOffers } from "./kas-offers.ts";
import { discard, headerOf, type DialResponse, type HttpDialer } from "../http/http-dialer.ts";

const NOT_ACCEPTED = words("request/credential-refused");
/** When kas looks at running requests for the first time, less what two clocks may differ by until then. */
const FIRST_PROOF_MS = 29_000;

/** What a transport works with. */
export interface KasTransportOptions {
  readonly dialer: HttpDialer;
  /** What answers of all clusters may hold while they are read. */
  readonly reading: ByteBudget;
  /** Headers of the viewer's credential; with `renew` fresh ones, or `undefined` when there are none. */
  readonly headers: (ask: { renew: boolean; signal: AbortSignal }) => Promise<Record<string, string> | undefined>;
  /** The newest agent configuration is broken (`Kas-Agent-Config-Error`); `undefined` when it is not. */
  readonly configurationError: (value: string | undefined) => void;
  /** How many watches the agent carries (`Kas-Agent-Watch-Budget`), each time that kas says so, or what is assumed of a kas that never does. */
  readonly watchLimit: (limit: number, isAssumed: boolean) => void;
  /** What kas offers beside the Kubernetes API. Absent: all that is requested. */
  readonly offers?: KasOffers | undefined;
  /** What each request has shown of the connection, and why it is unavailable, for people. */
  readonly heard?: (word: UpstreamState, words?: Words) => void;
  readonly clock?: Clock;
}

/**
 * Headers that mark a request for kas (docs/design/limits.md): a watch may be refused at once, lists stand in for it, and a proof is not
 * answered from an old permission.
 */
const MARKS = { watch: { "kas-watch-budget": "sample" }, proof: { "kas-proof": "1" } } as const;

/** The way through the k8s-proxy: the viewer's credential, renewed once when kas refuses it, and what kas says of the way. */
export class KasTransport implements KubeTransport {
  readonly #options: KasTransportOptions;

  constructor(options: KasTransportOptions) {
    this.#options = options;
  }

  async request(request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> {
    checkRequest(request);
    const answered = await this.#options.offers?.admit(request.path, signal);
    try {
      return await this.#request(request, signal);
    } finally {
      answered?.();
    }
  }

  async #request(request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> {
    const { clock = systemClock, offers } = this.#options;
    const startedMs = clock.now();
    let response = await this.#attempt(request, { renew: false, signal });
    if (response && isRefusedByKas(response)) {
      discard(response);
      if (!isRepeatable(request)) throw await this.#refused(signal, clock.now() - startedMs);
      response = await this.#attempt(request, { renew: true, signal });
    }
    if (!response || isRefusedByKas(response)) {
      if (response) discard(response);
      throw new KubeClientError("unauthorized", NOT_ACCEPTED, { stage: "not_started" });
    }
    const limit = watchLimitOf(headerOf(response, "kas-agent-watch-budget"));
    offers?.heard(request.path, { status: response.statusCode, isMarked: isMarked(response) });
    if (limit !== undefined) this.#options.watchLimit(limit, false);
    else if (offers?.isForeign === true) this.#options.watchLimit(ASSUMED_WATCHES, true);
    if (isOfTheWay(response)) {
      const isImpatient = request.answerWithinSeconds !== undefined;
      const error = await failureOf(responseOf(response), { budget: this.#options.reading, clock, startedMs, isImpatient });
      if (error.failure === "agent_offline" || error.failure === "api_down") this.#options.heard?.(error.failure, error.words);
      throw error;
    }
    this.#options.heard?.("answered");
    if (response.statusCode < 400) this.#options.configurationError(headerOf(response, "kas-agent-config-error"));
    return responseOf(response);
  }

  /** A change is not sent again; the credential is renewed for the next one. */
  async #refused(signal: AbortSignal, tookMs: number): Promise<KubeClientError> {
    await this.#options.headers({ renew: true, signal }).catch(() => undefined);
    return new KubeClientError("unauthorized", NOT_ACCEPTED, { stage: stageOfRefusal(tookMs) });
  }

  async #attempt(request: KubeRequest, ask: { renew: boolean; signal: AbortSignal }): Promise<DialResponse | undefined> {
    let stage: RequestStage = "not_started";
    try {
      const headers = await this.#options.headers(ask);
      if (!headers) return undefined;
      return await this.#options.dialer.request({
        method: request.method,
        path: request.path,
        headers: { ...requestHeaders(request), ...(this.#options.offers?.isForeign === true ? {} : marksOf(request)), ...headers },
        signal: ask.signal,
        started: () => (stage = "started"),
        ...(request.body === undefined ? {} : { body: request.body }),
      });
    } catch (error) {
      if (error instanceof KubeClientError) throw new KubeClientError(error.failure, error.words, { cause: error.cause, stage });
      if (error instanceof Fault && error.reason === "session_ended")
        throw new KubeClientError("unauthorized", wordsOfFault(error), { cause: error, stage });
      if (error instanceof Fault) throw new KubeClientError("connection", wordsOfFault(error), { cause: error, stage });
      // What never got to kas failed on the way to kas; anything later may be anybody's fault.
      const failure = stage === "not_started" && !ask.signal.aborted ? "kas_unreachable" : "connection";
      const silence = words("request/kas-silent");
      if (failure === "kas_unreachable") this.#options.heard?.(failure, silence);
      throw new KubeClientError(failure, silence, { cause: error, stage });
    }
  }
}

function marksOf({ purpose, answerWithinSeconds }: KubeRequest): Record<string, string> {
  const patience: Record<string, string> = answerWithinSeconds === undefined ? {} : { "kas-answer-within": String(answerWithinSeconds) };
  return { ...(purpose === undefined ? {} : MARKS[purpose]), ...patience };
}

interface Reading {
  readonly budget: ByteBudget;
  readonly clock: Clock;
  readonly startedMs: number;
  /** The request had a time limit for kas. */
  readonly isImpatient: boolean;
}

/** Whether the answer is of no API server: kas marks its own rejections, and a 502 is of some proxy. */
function isOfTheWay(response: DialResponse): boolean {
  return response.statusCode === 502 || (response.statusCode >= 400 && headerOf(response, "kas-refusal") !== undefined);
}

/** Whether kas has set a header that only ours sets: it passes none of them on from clusters. */
function isMarked({ headers }: DialResponse): boolean {
  return Object.keys(headers).some((name) => name.startsWith("kas-"));
}

/** What a refusal on the way means, by the table of docs/design/contract.md "Status codes of the k8s-proxy". */
async function failureOf(response: KubeResponse, { budget, clock, startedMs, isImpatient }: Reading): Promise<KubeClientError> {
  const tookMs = clock.now() - startedMs;
  const { message, status, retryAfterSeconds } = await apiFailureOf(response, { budget, clock });
  const isOfKas = response.header("kas-refusal") !== undefined;
  const stage = reportedStageOf(status) ?? (isOfKas ? stageOfRefusal(tookMs) : "started");
  const cause = status === undefined ? undefined : causeOf(status);
  // Only kas reports which side was silent; without our time limit it waits longer, and does not determine that.
  const silent = isOfKas && isImpatient && cause !== undefined ? SILENT[cause] : undefined;
  const failure = silent ?? failureOfCode(response.status, { cause, stage, isOfKas });
  return new KubeClientError(failure, message, { status, retryAfterSeconds, stage });
}

/** Whose silence kas means: an agent that answers no ping, or the API server behind one that does. */
const SILENT: Readonly<Partial<Record<string, KubeFailure>>> = { agent_silent: "agent_offline", cluster_silent: "api_down" };

/** The API server's own 503 and 504 belong to one kind, not to the way there; these are others'. */
function failureOfCode(
  code: number,
  { cause, stage, isOfKas }: { readonly cause: string | undefined; readonly stage: RequestStage; readonly isOfKas: boolean },
): KubeFailure {
  switch (code) {
    case 503:
      // The same code says that kas cannot ask the main application, Redis or a peer; the cause tells them apart.
      return cause === "agent_not_connected" ? "agent_offline" : "connection";
    case 429:
      return cause === "watch_budget_spent" ? "no_watch" : "busy";
    case 504:
      return "busy";
    case 502:
      // The agent had the request and ended it with an error of its own, before any answer of the API server: it cannot reach it. A tunnel
      // that breaks has the stage `started`.
      return isOfKas && cause === "tunnel_broken" && stage === "answered" ? "api_down" : "connection";
    default:
      return "api";
  }
}

/** How far kas says that a request came (`details.stage`); undefined where it says nothing. */
function reportedStageOf(status: KubernetesStatus | undefined): RequestStage | undefined {
  const stage = status?.details?.["stage"];
  return stage === "not_started" || stage === "started" || stage === "answered" ? stage : undefined;
}

/**
 * kas refuses a request before it hands it over, or ends a running one when its rights are gone, in the same words. It looks at those
 * after 30 s for the first time (docs/design/limits.md), so that what was refused sooner had not begun.
 */
function stageOfRefusal(tookMs: number): RequestStage {
  return tookMs < FIRST_PROOF_MS ? "not_started" : "started";
}

/** `<limit>;free=<n>`; what is free may be taken a moment later. */
function watchLimitOf(header: string | undefined): number | undefined {
  const limit = /^(\d{1,9});/.exec(header ?? "")?.[1];
  return limit === undefined ? undefined : Number(limit);
}

function allOf(values: DialResponse["headers"][string]): string | undefined {
  return Array.isArray(values) ? values.join(", ") : values;
}

function responseOf(response: DialResponse): KubeResponse {
  const { body } = response;
  return {
    status: response.statusCode,
    header: (name) => (name.toLowerCase() === "warning" ? allOf(response.headers["warning"]) : headerOf(response, name.toLowerCase())),
    // undici's body yields Buffers as long as no encoding is set.
    body,
    close() {
      body.on("error", () => {});
      body.destroy();
    },
  };
}

/** Whether an answer says by a header that kas itself refused the credential. */
export function isRefusedByKas(response: { readonly statusCode?: number | undefined } & Pick<DialResponse, "headers">): boolean {
  return response.statusCode === 401 && headerOf(response, "gitlab-unauthorized") !== undefined;
}
