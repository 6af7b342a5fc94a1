import type { Clock } from "@binnacle/rpc";
import { stringifySetCookie } from "cookie";
import { z } from "zod";

import { safeReturnPath } from "../../../features/session/safe-return-path.ts";
import type { SessionKeyRing } from "../../config/session-keys.ts";
import { SealedClaims } from "../sealed-claims.ts";
import type { SessionCookieOptions } from "../session-cookies.ts";
import type { SignInSecrets } from "./oidc-client.ts";

/** A sign-in at the provider may take so long. */
const SIGN_IN_SECONDS = 10 * 60;
/** Sign-ins that a browser may have begun; one more forgets those before. */
const MAX_BEGUN = 4;
/** Sealed, with the rest, it fits into one cookie. */
const MAX_RETURN_CHARACTERS = 1_500;

/** A sign-in that has begun. */
export interface BegunSignIn extends SignInSecrets {
  /** Where the viewer wants to go. */
  readonly returnTo: string;
}

const claimsSchema = z.object({ state: z.string().min(1), nonce: z.string().min(1), verifier: z.string().min(1), to: z.string() });

/**
 * What a sign-in remembers, in the browser that began it: one sealed cookie for each, for ten minutes. A callback in another browser finds
 * none, so a link that an attacker made signs no viewer in.
 */
export class SignInCookies {
  readonly #claims: SealedClaims;
  readonly #clock: Clock;
  readonly #options: SessionCookieOptions;
  readonly #prefix: string;

  constructor(keys: SessionKeyRing, clock: Clock, options: SessionCookieOptions) {
    this.#claims = new SealedClaims(keys, clock, { audience: "binnacle-web-sign-in", type: "binnacle-sign-in-1" });
    this.#clock = clock;
    this.#options = options;
    this.#prefix = `${!options.secure ? "" : options.path === "/" ? "__Host-" : "__Secure-"}_binnacle_sign_in_`;
  }

  /** `Set-Cookie` lines. */
  async begin(begun: BegunSignIn, present: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const { state, nonce, verifier, returnTo } = begun;
    const to = returnTo.length > MAX_RETURN_CHARACTERS ? (returnTo.split("?", 1)[0] ?? "/").slice(0, MAX_RETURN_CHARACTERS) : returnTo;
    const expiresAtSeconds = Math.floor(this.#clock.now() / 1_000) + SIGN_IN_SECONDS;
    const text = await this.#claims.seal({ state, nonce, verifier, to }, expiresAtSeconds);
    const others = [...present.keys()].filter((name) => name.startsWith(this.#prefix));
    const forgotten = others.length < MAX_BEGUN ? [] : others.map((name) => this.#line(name, "", 0));
    return [...forgotten, this.#line(this.#nameOf(state), text, SIGN_IN_SECONDS)];
  }

  /** The sign-in that a callback belongs to, by its state; `undefined` when this browser did not begin it, or too long ago. */
  async find(state: string, present: ReadonlyMap<string, string>): Promise<BegunSignIn | undefined> {
    const text = present.get(this.#nameOf(state));
    const claims = text === undefined ? undefined : claimsSchema.safeParse((await this.#claims.open(text))?.payload).data;
    if (claims === undefined || claims.state !== state) return undefined;
    return { state, nonce: claims.nonce, verifier: claims.verifier, returnTo: safeReturnPath(claims.to) };
  }

  /** `Set-Cookie` line that forgets it: each is for one callback. */
  end(state: string): string {
    return this.#line(this.#nameOf(state), "", 0);
  }

  #nameOf(state: string): string {
    return `${this.#prefix}${state.slice(0, 12)}`;
  }

  #line(name: string, value: string, maxAge: number): string {
    const { path, secure } = this.#options;
    return stringifySetCookie({ name, value, path, httpOnly: true, sameSite: "lax", maxAge, secure });
  }
}
