import { createSecretKey, type KeyObject } from "node:crypto";

import { passwordMark, verifyPassword, type OrganizationFiles, type UserEntry } from "@binnacle/organization";
import { Fault, type Clock } from "@binnacle/rpc";
import { jwtVerify, SignJWT } from "jose";

import type { VerifiedUser } from "./id-token-verifier.ts";

/** What ID tokens of the list of users are made with. */
export interface UserTokensOptions {
  readonly files: Pick<OrganizationFiles, "current">;
  /** Of every kas, and of no other program: who has it can be any user. */
  readonly secret: Uint8Array;
  /** Value of `iss`: the public address of the dashboard. */
  readonly issuer: string;
  readonly clock: Clock;
}

/** A token that was issued, and its end in milliseconds of the epoch. */
export interface IssuedToken {
  readonly idToken: string;
  readonly expiresAtMs: number;
}

/** A user who signed in with a password, and which password that was. Their groups are in the files. */
export interface PasswordUser extends VerifiedUser {
  /** As `passwordMark`: with another password, or without the user in the files, the token is worth nothing. */
  readonly mark: string;
}

const AUDIENCE = "binnacle-users";
const LIFETIME_S = 10 * 60;
/** As long as a session of the dashboard. */
const SESSION_S = 12 * 60 * 60;
const SKEW_S = 5;
/** Each takes 64 MiB and a thread of four, which files and names of hosts need too. */
const MOST_CHECKS = 2;
const MOST_WAITING = 40;

/**
 * Users with passwords in the files of an organization. A password gives an ID token of ten minutes, and a token that kas has issued gives the
 * next one for twelve hours from the sign-in, while the files still have the user with that password.
 */
export class UserTokens {
  readonly #options: UserTokensOptions;
  readonly #key: KeyObject;
  #checks = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: UserTokensOptions) {
    this.#options = options;
    this.#key = createSecretKey(options.secret);
  }

  /** @throws Fault `token_unknown` for a user or password that is not known, in equal time; `rate_limited` when too many are checked */
  async signIn(name: string, password: string): Promise<IssuedToken> {
    const hash = this.#options.files.current.user(name)?.password;
    if (!(await this.#check(password, hash))) throw new Fault("token_unknown", "the user or the password is not known");
    const user = this.#options.files.current.user(name);
    // The files may have changed meanwhile.
    if (user?.password === undefined || user.password !== hash) throw new Fault("token_unknown", "the user or the password is not known");
    return this.#issue(user, passwordMark(user.password), this.#nowS());
  }

  /** The next token of a session. @throws Fault `token_unknown` when the session is over or the files no longer have the user */
  async renew(idToken: string): Promise<IssuedToken> {
    const { name, mark, signedInAtS } = await this.#open(idToken, SESSION_S);
    const user = this.#options.files.current.userWithPassword(name, mark);
    if (user === undefined || signedInAtS + SESSION_S <= this.#nowS()) throw new Fault("token_unknown", "the session is over");
    return this.#issue(user, mark, signedInAtS);
  }

  /** Whose token it is. Whether the files still have the user is for the caller to compare. @throws Fault `token_unknown` */
  async verify(idToken: string): Promise<PasswordUser> {
    const { name, mark, expiresAtMs } = await this.#open(idToken, 0);
    return { name, groups: [], mark, expiresAtMs };
  }

  async #issue({ name }: UserEntry, mark: string, signedInAtS: number): Promise<IssuedToken> {
    const nowS = this.#nowS();
    const endS = Math.min(nowS + LIFETIME_S, signedInAtS + SESSION_S);
    const idToken = await new SignJWT({ mark, auth_time: signedInAtS })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(this.#options.issuer)
      .setAudience(AUDIENCE)
      .setSubject(name)
      .setIssuedAt(nowS)
      .setExpirationTime(endS)
      .sign(this.#key);
    return { idToken, expiresAtMs: endS * 1_000 };
  }

  /** @param afterS how long a token that has ended is still accepted */
  async #open(idToken: string, afterS: number): Promise<PasswordUser & { readonly signedInAtS: number }> {
    try {
      const { payload } = await jwtVerify(idToken, this.#key, {
        algorithms: ["HS256"],
        issuer: this.#options.issuer,
        audience: AUDIENCE,
        requiredClaims: ["exp", "iat", "sub", "mark", "auth_time"],
        currentDate: new Date(this.#options.clock.now()),
        clockTolerance: afterS + SKEW_S,
      });
      const { sub = "", exp = 0 } = payload;
      const { mark, auth_time: signedInAtS } = payload;
      if (typeof mark !== "string" || typeof signedInAtS !== "number") throw new Error("a claim has another type");
      return { name: sub, groups: [], mark, expiresAtMs: exp * 1_000, signedInAtS };
    } catch (error) {
      throw new Fault("token_unknown", "the token is not one of this kas", { cause: error });
    }
  }

  async #check(password: string, hash: string | undefined): Promise<boolean> {
    if (this.#checks >= MOST_CHECKS) {
      if (this.#waiting.length >= MOST_WAITING) throw new Fault("rate_limited", "too many sign-ins at once", { retryAfterSeconds: 5 });
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#checks += 1;
    try {
      return await verifyPassword(password, hash);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#checks -= 1;
      else next();
    }
  }

  #nowS(): number {
    return Math.floor(this.#options.clock.now() / 1_000);
  }
}
