import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

import type { Clock } from "@binnacle/rpc";

import { ApiError } from "./api-error.ts";
import type { ApiObject } from "./api-object.ts";
import { ANONYMOUS, serviceAccountUser, type User } from "./identity.ts";
import { isTree, numberIn, textIn } from "./json-tree.ts";
import type { Store } from "./store.ts";

const ISSUER = "https://kubernetes.default.svc.cluster.local";

/** Knows bearer tokens: the administrator's, and those it issues for ServiceAccounts (signed, nothing is kept). */
export class Tokens {
  readonly #key = randomBytes(32);
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #adminToken: string;

  constructor(parts: { readonly store: Store; readonly clock: Clock; readonly adminToken: string }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#adminToken = parts.adminToken;
  }

  /**
   * User of an `Authorization` header; the anonymous one without a header.
   *
   * @throws ApiError 401 for anything else than a good bearer token
   */
  authenticate(header: string | undefined): User {
    if (header === undefined || header === "") return ANONYMOUS;
    const token = /^Bearer\s+(\S+)$/i.exec(header)?.[1] ?? "";
    const user = this.userOf(token);
    if (!user) throw new ApiError(401, "Unauthorized", "Unauthorized");
    return user;
  }

  /** User of a token; `undefined` when it is not (or no longer) good. */
  userOf(token: string): User | undefined {
    if (isEqual(token, this.#adminToken)) {
      return { name: "sandbox-admin", uid: "1", groups: ["system:masters", "system:authenticated"], extra: {} };
    }
    const claims = this.#verify(token);
    const namespace = textIn(claims, "kubernetes.io", "namespace");
    const name = textIn(claims, "kubernetes.io", "serviceaccount", "name");
    if (claims === undefined || namespace === undefined || name === undefined) return undefined;
    const account = this.#store.get("/serviceaccounts", namespace, name);
    if (account === undefined || account.metadata.uid !== textIn(claims, "kubernetes.io", "serviceaccount", "uid")) return undefined;
    const user = serviceAccountUser(namespace, name);
    const id = textIn(claims, "jti") ?? "";
    const extra = { "authentication.kubernetes.io/credential-id": [`JTI=${id}`] };
    return { name: user.name, uid: account.metadata.uid, groups: [...user.groups, "system:authenticated"], extra };
  }

  /** A token of a ServiceAccount, a JWT in form. */
  issue(
    account: ApiObject,
    options: { readonly seconds: number; readonly audiences: readonly string[] },
  ): { readonly token: string; readonly expires: number } {
    const now = Math.floor(this.#clock.now() / 1_000);
    const { namespace = "", name, uid } = account.metadata;
    const claims = {
      aud: options.audiences.length > 0 ? options.audiences : [ISSUER],
      exp: now + options.seconds,
      iat: now,
      iss: ISSUER,
      jti: randomUUID(),
      "kubernetes.io": { namespace, serviceaccount: { name, uid } },
      nbf: now,
      sub: serviceAccountUser(namespace, name).name,
    };
    const head = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
    return { token: `${head}.${this.#sign(head)}`, expires: claims.exp * 1_000 };
  }

  #sign(head: string): string {
    return createHmac("sha256", this.#key).update(head).digest("base64url");
  }

  #verify(token: string): Record<string, unknown> | undefined {
    const [header = "", body = "", signature = ""] = token.split(".");
    if (!isEqual(signature, this.#sign(`${header}.${body}`))) return undefined;
    const claims: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
    return isTree(claims) && (numberIn(claims, "exp") ?? 0) * 1_000 > this.#clock.now() ? claims : undefined;
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function isEqual(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
