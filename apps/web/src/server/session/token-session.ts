import { parseJson } from "@binnacle/kube";
import { Fault, httpStatusOf } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { z } from "zod";

import { safeReturnPath } from "../../features/session/safe-return-path.ts";
import { clientAddressOf } from "../base/client-address.ts";
import type { CredentialNames } from "../main-application/credential-names.ts";
import { parseCookies, type Credential } from "../main-application/credential.ts";
import { headersWith, type SessionCookies } from "./session-cookies.ts";
import { SESSION_SECONDS, type SessionSeal, type TokenSession } from "./session-seal.ts";
import type { SignInLimit } from "../http/sign-in-limit.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";

/** Sealed it fits into three cookies, which leave room for others in what servers take as headers (16 KiB). */
const MAX_TOKEN_CHARACTERS = 7_168;

/** A personal access token: letters, digits and a few signs; never a line break or a colon, which would end a header or a credential. */
const TOKEN = /^[\w.-]+$/;

/** Whether a text can be a personal access token. */
export function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN_CHARACTERS && TOKEN.test(text);
}

const bodySchema = z.strictObject({ token: z.string() });

/** What the endpoints work with. */
export interface TokenSessionOptions {
  readonly seal: SessionSeal;
  readonly cookies: SessionCookies;
  readonly names: CredentialNames;
  /** What the addresses of the dashboard begin with, "" or "/one/two". */
  readonly pathPrefix: string;
  readonly limit: SignInLimit;
  readonly accessOf: (credential: Credential, clientAddress: string) => ViewerAccess;
  /** The session of a `Cookie` header was ended on purpose, whatever its way: nothing may be done with its credential from now on. */
  readonly end: (cookieHeader: string | null) => Promise<void>;
}

/** Sign-in with a personal access token: the browser has it in a sealed cookie, and the server remembers nothing. */
export class TokenSessions {
  readonly #options: TokenSessionOptions;

  constructor(options: TokenSessionOptions) {
    this.#options = options;
  }

  /**
   * POST `{token}` (JSON, or a form, which is answered with 303): 200 with the user, 401 for an unknown token, 400 for a
   * malformed body, 429 for too many attempts. DELETE: 204, and all that runs under the session ends.
   */
  async handle(request: Request): Promise<Response> {
    if (request.method === "DELETE") return this.#signOut(request);
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST, DELETE" } });
    const form = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
    const { token: pasted, returnTo } = await readBody(request, form);
    if (typeof pasted === "string" && pasted.length > MAX_TOKEN_CHARACTERS)
      return problem(400, `A token may have at most ${MAX_TOKEN_CHARACTERS} characters.`);
    if (typeof pasted !== "string" || !isToken(pasted)) return problem(400, "Send one personal access token.");
    const token = new Secret(pasted);
    const { names, limit, accessOf, pathPrefix } = this.#options;
    const clientAddress = clientAddressOf(request.headers);
    const tokenName = names.of(token);
    try {
      limit.attempt({ clientAddress, tokenName });
      const viewer = await accessOf({ way: "token", token }, clientAddress).viewer(request.signal);
      limit.accepted(tokenName);
      const headers = await this.begin(request.headers, { way: "token", token });
      if (form) headers.set("location", `${pathPrefix}${returnTo}`);
      return form
        ? new Response(null, { status: 303, headers })
        : Response.json({ username: viewer.username, name: viewer.name }, { headers });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.reason === "session_ended") return problem(401, "The main application does not know this token.");
      return refusal(error);
    }
  }

  /** Ends the browser's session and begins another. @returns `Set-Cookie` lines @throws Error when the token does not fit into cookies */
  async begin(headers: Headers, { way, token }: Pick<TokenSession, "way" | "token">): Promise<Headers> {
    const { seal, cookies, end } = this.#options;
    await end(headers.get("cookie"));
    const lines = cookies.write(await seal.seal(token, way), SESSION_SECONDS, parseCookies(headers.get("cookie")));
    // The bound of a token is far below that of the cookies; its test holds both together.
    if (lines === undefined) throw new Error("a token that was let in does not fit into cookies");
    return headersWith(lines);
  }

  async #signOut({ headers }: Request): Promise<Response> {
    await this.#options.end(headers.get("cookie"));
    return new Response(null, { status: 204, headers: headersWith(this.#options.cookies.clear(parseCookies(headers.get("cookie")))) });
  }
}

async function readBody(request: Request, form: boolean): Promise<{ token: unknown; returnTo: string }> {
  const text = await request.text();
  if (!form) return { token: bodySchema.safeParse(parseJson(text)).data?.token, returnTo: "/" };
  const fields = new URLSearchParams(text);
  return { token: fields.get("token")?.trim(), returnTo: safeReturnPath(fields.get("return_to")) };
}

/** An answer that says why a sign-in failed. */
export function problem(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

/** An answer for a sign-in that a limit, or something unavailable, prevents. */
export function refusal({ code, reason, message, retryAfterSeconds }: Fault): Response {
  const headers: Record<string, string> = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return Response.json({ reason, message }, { status: httpStatusOf(code), headers });
}
