import { randomBytes } from "node:crypto";

import { parseJson } from "@binnacle/kube";
import { Fault, httpStatusOf } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { z } from "zod";

import { safeReturnPath } from "../features/session/safe-return-path.ts";
import { clientAddressOf } from "./client-address.ts";
import { parseCookies, TOKEN_SESSION_COOKIE, type Credential } from "./credential.ts";
import { queryViewer } from "./environment-query.ts";
import type { SealedStore } from "./sealed-store.ts";
import type { SessionStreams } from "./session-streams.ts";
import type { SignInLimit } from "./sign-in-limit.ts";
import type { ViewerAccess } from "./viewer-access.ts";

/** A personal access token: letters, digits and a few signs; never a line break or a colon, which would end a header or a credential. */
const tokenSchema = z.string().regex(/^[\w.-]{1,512}$/);
const bodySchema = z.strictObject({ token: z.string() });

/** What the endpoints work with. */
export interface TokenSessionOptions {
  readonly store: SealedStore;
  readonly accessOf: (credential: Credential, clientAddress: string) => ViewerAccess;
  /** The dashboard is on https: its cookies must be too. */
  readonly secure: boolean;
  readonly ttlSeconds: number;
  readonly limit: SignInLimit;
  readonly streams: SessionStreams;
}

/** A session of the token way. */
export interface TokenSession {
  readonly id: string;
  readonly token: Secret;
}

/** Sign-in with a personal access token: the token stays here, sealed; the browser has a random id. */
export class TokenSessions {
  readonly #options: TokenSessionOptions;

  constructor(options: TokenSessionOptions) {
    this.#options = options;
  }

  /** The session behind a request's cookie; `undefined` without one, or after it has ended. */
  sessionOf(headers: Headers): TokenSession | undefined {
    const id = parseCookies(headers.get("cookie")).get(TOKEN_SESSION_COOKIE);
    const token = id === undefined ? undefined : this.#options.store.get(entryOf(id));
    return id === undefined || token === undefined ? undefined : { id, token };
  }

  /**
   * POST `{token}` (JSON, or a form, which is answered with 303): 200 with the user, 401 for a token nobody knows, 400 for a
   * malformed body, 429 for too many attempts. DELETE: 204, and all that runs under the session ends.
   */
  async handle(request: Request): Promise<Response> {
    if (request.method === "DELETE") return this.#signOut(request);
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST, DELETE" } });
    const form = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
    const { token: pasted, returnTo } = await readBody(request, form);
    const parsed = tokenSchema.safeParse(pasted);
    if (!parsed.success) return problem(400, "Send one personal access token.");
    const token = new Secret(parsed.data);
    const { store, limit, accessOf } = this.#options;
    const clientAddress = clientAddressOf(request.headers);
    const tokenName = store.nameOf(token);
    try {
      limit.attempt({ clientAddress, tokenName });
      const viewer = await queryViewer(accessOf({ way: "token", token }, clientAddress), request.signal);
      limit.accepted(tokenName);
      this.#end(request.headers);
      const id = randomBytes(32).toString("base64url");
      store.put(entryOf(id), token);
      const cookie = this.#cookie(id, this.#options.ttlSeconds);
      if (form) return new Response(null, { status: 303, headers: { location: returnTo, "set-cookie": cookie } });
      return Response.json(
        { username: viewer.username, name: viewer.name },
        { headers: { "set-cookie": this.#cookie(id, this.#options.ttlSeconds) } },
      );
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.reason === "session_ended") return problem(401, "The main application does not know this token.");
      return refusal(error);
    }
  }

  #signOut(request: Request): Response {
    this.#end(request.headers);
    return new Response(null, { status: 204, headers: { "set-cookie": this.#cookie("", 0) } });
  }

  #end(headers: Headers): void {
    const id = parseCookies(headers.get("cookie")).get(TOKEN_SESSION_COOKIE);
    if (id === undefined) return;
    this.#options.store.delete(entryOf(id));
    this.#options.streams.end(id);
  }

  #cookie(value: string, maxAgeSeconds: number): string {
    const secure = this.#options.secure ? "; Secure" : "";
    return `${TOKEN_SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}${secure}`;
  }
}

async function readBody(request: Request, form: boolean): Promise<{ token: unknown; returnTo: string }> {
  const text = await request.text();
  if (!form) return { token: bodySchema.safeParse(parseJson(text)).data?.token, returnTo: "/" };
  const fields = new URLSearchParams(text);
  return { token: fields.get("token")?.trim(), returnTo: safeReturnPath(fields.get("return_to")) };
}

function entryOf(id: string): string {
  return `token-session:${id}`;
}

function problem(status: number, message: string): Response {
  return Response.json({ message }, { status });
}

function refusal({ code, reason, message, retryAfterSeconds }: Fault): Response {
  const headers: Record<string, string> = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) };
  return Response.json({ reason, message }, { status: httpStatusOf(code), headers });
}
