import { parseJson } from "@binnacle/kube";
import { Fault } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { z } from "zod";

import { safeReturnPath } from "../../features/session/safe-return-path.ts";
import { clientAddressOf } from "../base/client-address.ts";
import type { SignInLimit } from "../http/sign-in-limit.ts";
import type { CredentialNames } from "../main-application/credential-names.ts";
import { problem, refusal, type TokenSessions } from "./token-session.ts";

const bodySchema = z.strictObject({ username: z.string().min(1).max(256), password: z.string().min(1).max(1_024) });

/** What the endpoint works with. */
export interface PasswordSignInOptions {
  readonly sessions: Pick<TokenSessions, "begin">;
  readonly names: CredentialNames;
  readonly limit: SignInLimit;
  /** What the addresses of the dashboard begin with, "" or "/one/two". */
  readonly pathPrefix: string;
  /** @throws Fault `session_ended` when user or password are not known, as all failures in equal time */
  readonly signIn: (user: z.output<typeof bodySchema>, signal: AbortSignal) => Promise<{ readonly idToken: Secret }>;
}

/**
 * POST `{username, password}` (JSON, or a form, which is answered with 303): 200 with the user's name, 401 for an unknown user or password
 * with one sentence for both, 400 for a malformed body, 429 for too many attempts. The password is passed on to kas and not kept.
 */
export class PasswordSignIn {
  readonly #options: PasswordSignInOptions;

  constructor(options: PasswordSignInOptions) {
    this.#options = options;
  }

  async handle(request: Request): Promise<Response> {
    if (request.method !== "POST") return new Response(null, { status: 405, headers: { allow: "POST" } });
    const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded") === true;
    const text = await request.text();
    const fields = new URLSearchParams(isForm ? text : "");
    const sent = isForm ? { username: fields.get("username"), password: fields.get("password") } : parseJson(text);
    const user = bodySchema.safeParse(sent).data;
    if (user === undefined) return problem(400, "Send a username and a password.");
    const { names, limit, sessions, signIn, pathPrefix } = this.#options;
    const tokenName = names.of(new Secret(`${user.username}\0${user.password}`));
    try {
      limit.attempt({ clientAddress: clientAddressOf(request.headers), tokenName });
      const { idToken } = await signIn(user, request.signal);
      limit.accepted(tokenName);
      const headers = await sessions.begin(request.headers, { way: "oidc", token: idToken });
      if (!isForm) return Response.json({ username: user.username }, { headers });
      headers.set("location", `${pathPrefix}${safeReturnPath(fields.get("return_to"))}`);
      return new Response(null, { status: 303, headers });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return error.reason === "session_ended" ? problem(401, "The user or the password is not known.") : refusal(error);
    }
  }
}
