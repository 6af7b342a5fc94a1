import { parseJson } from "@binnacle/kube";
import { Fault } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";

import { headerOf, type DialResponse, type HttpDialer } from "./http-dialer.ts";
import { sessionEnded } from "./session-ended.ts";

const REQUEST_TIMEOUT_MS = 15_000;
const MOST_BODY_BYTES = 8 * 1024 * 1024;

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

/** Until when, and for which client, something is asked. */
export interface AskedBy {
  readonly signal: AbortSignal;
  readonly clientAddress?: string | undefined;
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
export class MainApplication {
  readonly #dialer: HttpDialer;

  constructor(dialer: HttpDialer) {
    this.#dialer = dialer;
  }

  /** Loads an HTML page as the session's user and takes its tokens; a redirect (to the sign-in) means the session has ended. */
  async page(path: string, sessionCookie: Secret, ask: AskedBy): Promise<PageTokens> {
    const headers = { accept: "text/html", cookie: `_gitlab_session=${sessionCookie.reveal()}`, ...forwardedFor(ask.clientAddress) };
    const { response, body } = await this.#ask({ method: "GET", path, headers }, ask.signal);
    if (response.statusCode === 401 || (response.statusCode >= 300 && response.statusCode < 400)) throw sessionEnded();
    const csrfToken = csrfTokenOf(body);
    // A page that may not be seen still carries a token: whether the project exists is for GraphQL to say.
    if (csrfToken === undefined) throw unavailable(`its page ${path} (status ${response.statusCode}) has no CSRF token`);
    return { csrfToken: new Secret(csrfToken), kasCookie: kasCookieOf(response) };
  }

  /** Asks GraphQL. @returns `data`; errors beside data are ignored, as the data says null there */
  async graphql(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    ask: AskedBy & { readonly proof: GraphqlProof },
  ): Promise<unknown> {
    const headers = {
      "content-type": "application/json",
      accept: "application/json",
      ...forwardedFor(ask.clientAddress),
      ...proofHeaders(ask.proof),
    };
    const { response, body } = await this.#ask(
      { method: "POST", path: "/api/graphql", headers, body: JSON.stringify({ query, variables }) },
      ask.signal,
    );
    // 422 is what Rails says to a wrong CSRF token.
    if (response.statusCode === 401 || response.statusCode === 403 || response.statusCode === 422) throw sessionEnded();
    if (response.statusCode !== 200) throw unavailable(`GraphQL answered ${response.statusCode}`);
    const answer = parseJson(body);
    if (typeof answer !== "object" || answer === null || !("data" in answer) || answer.data === null)
      throw unavailable("GraphQL gave no data");
    return answer.data;
  }

  async #ask(
    request: { method: "GET" | "POST"; path: string; headers: Record<string, string>; body?: string },
    signal: AbortSignal,
  ): Promise<{ response: DialResponse; body: string }> {
    try {
      const response = await this.#dialer.request({
        ...request,
        signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
      });
      return { response, body: await readText(response) };
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (signal.aborted) throw new Fault("cancelled", "the viewer left", { cause: error });
      throw new Fault("main_application_unavailable", "the main application does not answer", { cause: error });
    }
  }
}

/** Reads a body to its end. @throws Fault `message_too_large` beyond 8 MiB */
async function readText(response: DialResponse): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    // undici's body yields Buffers as long as no encoding is set.
    const part = chunk as Buffer;
    bytes += part.length;
    if (bytes > MOST_BODY_BYTES) throw new Fault("message_too_large", "the answer is too large");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function proofHeaders(proof: GraphqlProof): Record<string, string> {
  if (proof.way === "token") return { authorization: `Bearer ${proof.token.reveal()}` };
  return { cookie: `_gitlab_session=${proof.sessionCookie.reveal()}`, "x-csrf-token": proof.csrfToken.reveal() };
}

function csrfTokenOf(page: string): string | undefined {
  for (const [tag] of page.matchAll(/<meta\b[^>]*>/gi)) {
    if (!/\bname=["']?csrf-token["'\s/>]/i.test(tag)) continue;
    const content = /\bcontent="([^"]*)"|\bcontent='([^']*)'/i.exec(tag);
    return content?.[1] ?? content?.[2];
  }
  return undefined;
}

function kasCookieOf(response: DialResponse): Secret | undefined {
  const header = response.headers["set-cookie"];
  const cookies = header === undefined ? [] : Array.isArray(header) ? header : [header];
  for (const cookie of cookies) {
    const found = /^_gitlab_kas=([^;]*)/.exec(cookie);
    if (found?.[1] !== undefined && found[1] !== "") return new Secret(found[1]);
  }
  return undefined;
}

function unavailable(detail: string): Fault {
  return new Fault("main_application_unavailable", `the main application is not available: ${detail}`);
}

/** Whether an answer says by a header that kas itself refused the credential. */
export function isRefusedByKas(response: DialResponse): boolean {
  return response.statusCode === 401 && headerOf(response, "gitlab-unauthorized") !== undefined;
}
