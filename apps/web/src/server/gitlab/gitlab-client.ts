import { parseJson } from "@binnacle/kube";
import { Fault, systemClock, type Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { words, type Words } from "@binnacle/words";
import { parseSetCookie } from "cookie";

import type { DialResponse, HttpDialer } from "../http/http-dialer.ts";
import { RememberedRefusal } from "../base/remembered-refusal.ts";
import { MessageFault } from "../base/message-fault.ts";
import { sessionEnded } from "../base/session-ended.ts";

const REQUEST_TIMEOUT_MS = 15_000;
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Errors of one answer that are listened to: one for each of a page of environments, and some. */
const MAX_ERRORS = 500;

/** What an HTML page of the main application gives away to its own scripts. */
export interface PageTokens {
  /** `<meta name="csrf-token">`. */
  readonly csrfToken: Secret;
  /** Value of `Set-Cookie: _gitlab_kas`, as sent; only pages of environments set it. */
  readonly kasCookie: Secret | undefined;
}

/** How a GraphQL request proves who asks. */
export type GraphqlProof =
  | { readonly way: "cookie"; readonly sessionCookie: Secret; readonly csrfToken: Secret }
  | { readonly way: "token"; readonly token: Secret };

/** Where a field stands in an answer of GraphQL: names, and places in lists. */
export type FieldPath = readonly (string | number)[];

/** GraphQL did not take a query: it knows none of its answer, and says an error instead. */
export class QueryRefused extends MessageFault {}

/** Until when, and for which client, a query runs. */
export interface RequestContext {
  readonly signal: AbortSignal;
  readonly clientAddress?: string | undefined;
  /** What the answer may weigh; default 8 MiB. */
  readonly mostBytes?: number | undefined;
  /** Hears of GraphQL's fields that are null because they could not be answered. */
  readonly failed?: ((path: FieldPath) => void) | undefined;
}

/** The header that names the client we ask for; none when it is not known. */
export function forwardedFor(clientAddress: string | undefined): Record<string, string> {
  return clientAddress === undefined || clientAddress === "" ? {} : { "x-forwarded-for": clientAddress };
}

/**
 * The main application over HTTP, without an identity of its own.
 *
 * Every method throws Fault `session_ended` (it does not know the credential) or `main_application_unavailable`.
 */
export class GitlabClient {
  /** Fields of deployments that it has refused: whether their ref is a tag, and all of them. */
  readonly refusedFields: { readonly tag: RememberedRefusal; readonly deployments: RememberedRefusal };
  readonly #dialer: HttpDialer;

  constructor(dialer: HttpDialer, clock: Clock = systemClock) {
    this.#dialer = dialer;
    this.refusedFields = { tag: new RememberedRefusal(clock), deployments: new RememberedRefusal(clock) };
  }

  /** Where people find it. */
  get url(): string {
    return this.#dialer.externalUrl;
  }

  /** Loads an HTML page as the session's user and takes its tokens; a redirect (to the sign-in) means the session has ended. */
  async page(path: string, sessionCookie: Secret, ask: RequestContext): Promise<PageTokens> {
    const headers = { accept: "text/html", cookie: `_gitlab_session=${sessionCookie.reveal()}`, ...forwardedFor(ask.clientAddress) };
    const { response, body } = await this.#ask({ method: "GET", path, headers }, ask);
    if (response.statusCode === 401 || (response.statusCode >= 300 && response.statusCode < 400)) throw sessionEnded();
    // The layout of a page that failed may carry a token all the same, and never the cookie for kas.
    const isTroubled = response.statusCode >= 500 || response.statusCode === 429;
    const csrfToken = isTroubled ? undefined : csrfTokenOf(body);
    // A page that may not be seen still carries a token: whether the project exists is for GraphQL to say.
    if (csrfToken === undefined) throw unavailable(words("main-application/no-token", { path, status: response.statusCode }));
    return { csrfToken: new Secret(csrfToken), kasCookie: kasCookieOf(response) };
  }

  /**
   * Asks GraphQL.
   *
   * @returns `data`; errors beside it are only reported to `failed`, as the data has null there
   * @throws QueryRefused when there are errors and no data
   * @throws Fault also `message_too_large`
   */
  async graphql(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    ask: RequestContext & { readonly proof: GraphqlProof },
  ): Promise<unknown> {
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      ...forwardedFor(ask.clientAddress),
      ...proofHeaders(ask.proof),
    };
    const { response, body } = await this.#ask(
      { method: "POST", path: "/api/graphql", headers, body: JSON.stringify({ query, variables }) },
      ask,
    );
    // 422 is what Rails says to a wrong CSRF token.
    if (response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 422) throw sessionEnded();
    if (response.statusCode !== 200) throw unavailable(words("main-application/status", { status: response.statusCode }));
    const answer = parseJson(body);
    const errors = errorsOf(answer);
    if (typeof answer !== "object" || answer === null || !("data" in answer) || answer.data === null) {
      const text = words("main-application/no-data");
      throw errors.length > 0 ? new QueryRefused("main_application_unavailable", text) : unavailable(text);
    }
    for (const error of errors.slice(0, MAX_ERRORS)) ask.failed?.(pathOf(error));
    return answer.data;
  }

  /**
   * Reads something over REST (docs.gitlab.com, "REST API"), for what GraphQL lacks.
   *
   * @returns the status, with the content of a 200, and whether further pages follow
   * @throws Fault also `message_too_large`
   */
  async rest(
    path: string,
    ask: RequestContext & { readonly proof: GraphqlProof },
  ): Promise<{ readonly status: number; readonly content: unknown; readonly hasNext: boolean }> {
    const headers = { accept: "application/json", ...forwardedFor(ask.clientAddress), ...proofHeaders(ask.proof) };
    const { response, body } = await this.#ask({ method: "GET", path: `/api/v4${path}`, headers }, ask);
    const next = response.headers["x-next-page"];
    const isRead = response.statusCode === 200;
    return { status: response.statusCode, content: isRead ? parseJson(body) : undefined, hasNext: next !== undefined && next !== "" };
  }

  async #ask(
    request: { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string },
    { signal, mostBytes = MAX_BODY_BYTES }: RequestContext,
  ): Promise<{ response: DialResponse; body: string }> {
    try {
      const response = await this.#dialer.request({
        ...request,
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      return { response, body: await readText(response, mostBytes) };
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (signal.aborted) throw new Fault("cancelled", "the viewer left", { cause: error });
      throw new MessageFault("main_application_unavailable", words("main-application/silent"), { cause: error });
    }
  }
}

function errorsOf(answer: unknown): readonly unknown[] {
  const errors: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "errors") : undefined;
  return Array.isArray(errors) ? errors : [];
}

function pathOf(error: unknown): FieldPath {
  const path: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "path") : undefined;
  return Array.isArray(path) ? path.filter((part) => typeof part === "string" || typeof part === "number") : [];
}

/** Reads a body to its end. @throws Fault `message_too_large` beyond `mostBytes` */
async function readText(response: DialResponse, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    // undici's body yields Buffers as long as no encoding is set.
    const part = chunk as Buffer;
    bytes += part.length;
    if (bytes > mostBytes) throw new Fault("message_too_large", "the answer is too large");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function proofHeaders(proof: GraphqlProof): Record<string, string> {
  if (proof.way === "token") return { authorization: `Bearer ${proof.token.reveal()}` };
  return { cookie: `_gitlab_session=${proof.sessionCookie.reveal()}`, "x-csrf-token": proof.csrfToken.reveal() };
}

function csrfTokenOf(page: string): string | undefined {
  for (const [tag] of page.matchAll(/<meta\b[^<>]*>/gi)) {
    if (!/\bname=["']?csrf-token["'\s/>]/i.test(tag)) continue;
    const content = /\bcontent="([^"]*)"|\bcontent='([^']*)'/i.exec(tag);
    return content?.[1] ?? content?.[2];
  }
  return undefined;
}

function kasCookieOf(response: DialResponse): Secret | undefined {
  const header = response.headers["set-cookie"];
  const lines = header === undefined ? [] : Array.isArray(header) ? header : [header];
  const cookies = lines.map((line) => parseSetCookie(line, { decode: (value) => value }));
  const value = cookies.find((cookie) => cookie.name === "_gitlab_kas")?.value;
  return value === undefined || value === "" ? undefined : new Secret(value);
}

function unavailable(text: Words): MessageFault {
  return new MessageFault("main_application_unavailable", text);
}
