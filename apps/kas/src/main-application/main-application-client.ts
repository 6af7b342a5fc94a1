import { Fault, type Clock } from "@binnacle/rpc";
import { SignJWT } from "jose";
import { request, type Dispatcher } from "undici";

import type { AskingCaller, CredentialAdmission } from "../limits/credential-admission.ts";

/** How to reach the main application. */
export interface MainApplicationOptions {
  /** Base URL that is dialled, without a trailing slash. */
  readonly address: string;
  /** Public base URL; its host is sent as `Host`. */
  readonly externalUrl?: string;
  /** Secret shared with the main application. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  /** Says who is next. */
  readonly admission: CredentialAdmission;
  readonly dispatcher: Dispatcher;
  readonly userAgent: string;
  /** Receives details that callers do not get: the call and its response, or the failure of the connection. */
  readonly onFailure?: (detail: string) => void;
}

/** One call. */
export interface MainApplicationCall {
  readonly method: "GET" | "POST";
  /** Path below the base URL, with its query. */
  readonly path: string;
  /** `Authorization: Bearer …` of an agent. */
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The caller whose credential is checked; absent: the call checks none. */
  readonly caller?: AskingCaller;
  /** Calls without a credential take turns by this key, for example an agent's id. */
  readonly flow?: string;
}

/** A request of a client that kas forwards with an agent's token. */
export interface PassedCall {
  readonly method: string;
  /** Path below the base URL, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bearer: string;
  readonly body: Buffer | undefined;
  /** Calls take turns by this word, for example an agent's id. */
  readonly flow: string;
  /** Largest answer. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** Its answer, whatever it is. */
export interface PassedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Headers of a response that are forwarded to the client. */
const PASSED_HEADERS = ["content-type", "etag", "last-modified", "retry-after", "x-request-id"] as const;

/** Of the call alone; waiting for the turn has its own bound. */
const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/** Calls the main application's REST API as kas: rate limited, with a JWT that lives 30 s, following no redirect. */
export class MainApplicationClient {
  readonly #options: MainApplicationOptions;

  constructor(options: MainApplicationOptions) {
    this.#options = options;
  }

  /**
   * Waits for the call's turn and makes it.
   *
   * @returns the parsed JSON of a 200, undefined for a 204
   * @throws Fault `token_unknown` (401), `agent_forbidden` (403), `not_found` (404), `main_application_unavailable` (anything else; what
   * exactly is its cause, for the log alone); those of `CredentialAdmission.ask`
   */
  call(call: MainApplicationCall): Promise<unknown> {
    const { admission } = this.#options;
    const { caller, flow } = call;
    return caller === undefined ? admission.report(flow ?? "", () => this.#send(call)) : admission.ask(caller, () => this.#send(call));
  }

  /**
   * Waits for its turn and passes a request on, once; its answer is not judged.
   *
   * @throws Fault `main_application_unavailable`, also for an answer that is too large
   */
  pass(call: PassedCall): Promise<PassedAnswer> {
    return this.#options.admission.report(call.flow, () => this.#pass(call));
  }

  async #pass({ method, path, headers, bearer, body, maxBytes, signal }: PassedCall): Promise<PassedAnswer> {
    const { address, dispatcher } = this.#options;
    try {
      const answer = await request(`${address}${path}`, {
        // Whatever undici knows: the caller has chosen it from a closed set.
        method: method as "GET",
        dispatcher,
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), signal]),
        headers: { ...headers, ...(await this.#ownHeaders()), authorization: `Bearer ${bearer}` },
        body: body ?? null,
      });
      const bytes = await limitedBytes(answer.body, maxBytes);
      const passed = PASSED_HEADERS.flatMap((name) => {
        const value = answer.headers[name];
        return value === undefined ? [] : [[name, String(value)] as const];
      });
      return { status: answer.statusCode, headers: Object.fromEntries(passed), body: bytes };
    } catch (error) {
      if (signal.aborted) throw new Fault("cancelled", "the caller left", { cause: error });
      const fault = error instanceof Fault ? error : unanswered(error);
      this.#options.onFailure?.(detailOf(fault.cause));
      throw fault;
    }
  }

  /** Which kas it is, and to whom it speaks. */
  async #ownHeaders(): Promise<Record<string, string>> {
    const { externalUrl, userAgent } = this.#options;
    return {
      "user-agent": userAgent,
      "gitlab-kas-api-request": await this.#token(),
      ...(externalUrl === undefined ? {} : { host: new URL(externalUrl).host }),
    };
  }

  async #send(call: MainApplicationCall): Promise<unknown> {
    const { address, dispatcher } = this.#options;
    try {
      const answer = await request(`${address}${call.path}`, {
        method: call.method,
        dispatcher,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          accept: "application/json",
          ...(await this.#ownHeaders()),
          ...(call.bearer === undefined ? {} : { authorization: `Bearer ${call.bearer}` }),
          ...(call.body === undefined ? {} : { "content-type": "application/json" }),
          ...call.headers,
        },
        body: call.body === undefined ? null : JSON.stringify(call.body),
      });
      const text = (await limitedBytes(answer.body, MAX_ANSWER_BYTES)).toString();
      return bodyOf(call.path, { status: answer.statusCode, type: String(answer.headers["content-type"] ?? ""), text });
    } catch (error) {
      const fault = error instanceof Fault ? error : unanswered(error);
      if (fault.reason === "main_application_unavailable") this.#options.onFailure?.(detailOf(fault.cause));
      throw fault;
    }
  }

  #token(): Promise<string> {
    const nowS = Math.floor(this.#options.clock.now() / 1_000);
    return new SignJWT({})
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer("gitlab-kas")
      .setAudience(["gitlab"])
      .setIssuedAt(nowS)
      .setNotBefore(nowS - 5)
      .setExpirationTime(nowS + 30)
      .sign(this.#options.secret);
  }
}

async function limitedBytes(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw unanswered(new Error("the answer is too large"));
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function bodyOf(path: string, answer: { readonly status: number; readonly type: string; readonly text: string }): unknown {
  const what = path.split("?")[0];
  switch (answer.status) {
    case 200:
      if (!answer.type.startsWith("application/json")) throw unanswered(new Error(`${what} answered 200 without JSON`));
      return JSON.parse(answer.text);
    case 204:
      return undefined;
    case 401:
      throw new Fault("token_unknown", "unauthenticated");
    case 403:
      throw new Fault("agent_forbidden", "forbidden");
    case 404:
      throw new Fault("not_found", "not found");
    default:
      throw unanswered(new Error(`${what} answered ${answer.status}`));
  }
}

function detailOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** What callers hear, strangers too: paths and addresses of the inside are none of their business. */
export function unanswered(cause: unknown): Fault {
  return new Fault("main_application_unavailable", "the main application cannot answer now", { cause });
}
