import { parseJson, textAt } from "@binnacle/kube";
import { Fault, systemClock, type Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { words, type Words } from "@binnacle/words";
import { parseSetCookie } from "cookie";

import { headerOf, type DialResponse, type HttpDialer } from "../http/http-dialer.ts";
import { InstanceFields } from "./instance-fields.ts";
import { RateLimits } from "./rate-limits.ts";
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

/** GraphQL has rejected a query as a whole. */
export class QueryRefused extends MessageFault {
  /** Fields that the instance does not have, as "<type>.<field>". */
  readonly missing: readonly string[];
  /** The query is over the instance's limit of complexity. */
  readonly isTooComplex: boolean;

  constructor(errors: readonly unknown[]) {
    const messages = errors.slice(0, MAX_ERRORS).map((error) => textAt(error, "message"));
    const isTooComplex = messages.some((message) => TOO_COMPLEX.test(message));
    super("main_application_unavailable", words(isTooComplex ? "main-application/too-complex" : "main-application/no-data"));
    this.isTooComplex = isTooComplex;
    this.missing = messages.flatMap((message) => {
      const { field, type } = MISSING_FIELD.exec(message)?.groups ?? {};
      return field === undefined || type === undefined ? [] : [`${type}.${field}`];
    });
  }
}

/** Sentences of graphql-ruby and of GitLab's schema. */
const MISSING_FIELD = /^Field '(?<field>\w{1,100})' doesn't exist on type '(?<type>\w{1,100})'/;
const TOO_COMPLEX = /^Query has complexity of \d+, which exceeds max complexity of \d+/;

/** Until when, and for which client, a query runs. */
export interface RequestContext {
  readonly signal: AbortSignal;
  readonly clientAddress?: string | undefined;
  /** What the answer may weigh; default 8 MiB. */
  readonly mostBytes?: number | undefined;
  /** Names whose requests count together for the instance's rate limits. */
  readonly credential?: string | undefined;
  /** Hears of GraphQL's fields that are null because they could not be answered, and why; the text may be empty. */
  readonly failed?: ((path: FieldPath, message: string) => void) | undefined;
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
  /** What the instance was found not to answer. */
  readonly instance: InstanceFields;
  readonly #limits: RateLimits;
  readonly #dialer: HttpDialer;

  constructor(dialer: HttpDialer, clock: Clock = systemClock) {
    this.#dialer = dialer;
    this.instance = new InstanceFields(clock);
    this.#limits = new RateLimits(clock);
  }

  /** Where people find it. */
  get url(): string {
    return this.#dialer.externalUrl;
  }

  /** Loads an HTML page as the session's user and takes its tokens. */
  async page(path: string, sessionCookie: Secret, ask: RequestContext): Promise<PageTokens> {
    const headers = { accept: "text/html", cookie: `_gitlab_session=${sessionCookie.reveal()}`, ...forwardedFor(ask.clientAddress) };
    const { response, body } = await this.#ask({ method: "GET", path, headers }, ask);
    if (response.statusCode === 401) throw sessionEnded();
    // The layout of a page that failed may carry a token all the same, and never the cookie for kas.
    const csrfToken = response.statusCode >= 500 ? undefined : csrfTokenOf(body);
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
    const { statusCode: status } = response;
    if (status === 403 && textAt(parseJson(body), "error") === "insufficient_scope")
      throw new MessageFault("session_ended", words("main-application/no-scope"));
    // 422 is what Rails says to a wrong CSRF token.
    if (status === 401 || status === 403 || status === 422) throw sessionEnded();
    if (status >= 500) throw unavailable(words("main-application/server-error", { status }));
    if (status !== 200) throw unavailable(words("main-application/status", { status }));
    const answer = parseJson(body);
    if (answer === undefined) throw unavailable(words(/^\s*</.test(body) ? "main-application/page" : "main-application/not-readable"));
    const errors = errorsOf(answer);
    if (typeof answer !== "object" || answer === null || !("data" in answer) || answer.data === null)
      throw errors.length > 0 ? new QueryRefused(errors) : unavailable(words("main-application/no-data"));
    for (const error of errors.slice(0, MAX_ERRORS)) ask.failed?.(pathOf(error), messageOf(error));
    return answer.data;
  }

  /** To the sign-in, or to another host that has one, it means that the session has ended; within the host it is a wrong address. */
  #redirected(response: DialResponse): MessageFault {
    const location = headerOf(response, "location") ?? "";
    const to = URL.parse(location, this.url);
    const isWithin = to !== null && to.hostname === new URL(this.url).hostname && !SIGN_IN.test(to.pathname);
    return isWithin ? unavailable(words("main-application/redirect")) : sessionEnded();
  }

  async #ask(
    request: { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string },
    { signal, mostBytes, credential }: RequestContext,
  ): Promise<{ response: DialResponse; body: string }> {
    if (credential !== undefined) this.#limits.check(credential);
    try {
      const response = await this.#dialer.request({
        ...request,
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      const body = await readText(response, mostBytes ?? MAX_BODY_BYTES);
      if (response.statusCode === 429) throw this.#limits.rejected(credential, headerOf(response, "retry-after"));
      if (response.statusCode >= 300 && response.statusCode < 400) throw this.#redirected(response);
      return { response, body };
    } catch (error) {
      // Only who sets a limit expects to reach it.
      if (error instanceof Fault && error.reason === "message_too_large" && mostBytes === undefined)
        throw unavailable(words("main-application/too-large"));
      if (error instanceof Fault) throw error;
      if (signal.aborted) throw new Fault("cancelled", "the viewer left", { cause: error });
      throw new MessageFault("main_application_unavailable", words("main-application/silent"), { cause: error });
    }
  }
}

/** Where a path leads to the sign-in, of GitLab itself or of an identity provider for a group. */
const SIGN_IN = /\/users\/|\/saml/;

function errorsOf(answer: unknown): readonly unknown[] {
  const errors: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "errors") : undefined;
  return Array.isArray(errors) ? errors : [];
}

function pathOf(error: unknown): FieldPath {
  const path: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "path") : undefined;
  return Array.isArray(path) ? path.filter((part) => typeof part === "string" || typeof part === "number") : [];
}

function messageOf(error: unknown): string {
  const message: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "message") : undefined;
  return typeof message === "string" ? message : "";
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
