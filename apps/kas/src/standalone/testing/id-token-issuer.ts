import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTHeaderParameters } from "jose";

interface Key {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** A stand-in of a provider of identities: its discovery document, its keys, and ID tokens as it would issue them. */
export class IdTokenIssuer {
  readonly #server: Server;
  #keys: Key[] = [];
  /** Paths of requests, in order. */
  readonly requests: string[] = [];
  /** Answers in place of the issuer, when it returns true. */
  intercept: (...request: Parameters<RequestListener>) => boolean = () => false;
  url = "";

  private constructor() {
    this.#server = createServer((request, response) => {
      this.requests.push(request.url ?? "");
      if (this.intercept(request, response)) return;
      const body = this.#answer(request.url);
      response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" }).end(JSON.stringify(body ?? {}));
    });
  }

  static async start(): Promise<IdTokenIssuer> {
    const issuer = new IdTokenIssuer();
    await new Promise<void>((resolve) => issuer.#server.listen(0, "127.0.0.1", resolve));
    // A server on TCP has an address of this form.
    issuer.url = `http://127.0.0.1:${(issuer.#server.address() as AddressInfo).port}`;
    await issuer.rotate();
    return issuer;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Signs with a new key from now on; the former one is not published any more. */
  async rotate(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
    this.#keys = [
      { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: `key-${this.requests.length}-${Math.random()}`, alg: "ES256" } },
    ];
  }

  /** An ID token of an hour for the client "binnacle", with other claims or header fields. */
  async token(claims: Readonly<Record<string, unknown>> = {}, header: Partial<JWTHeaderParameters> = {}): Promise<string> {
    const [key] = this.#keys;
    if (key === undefined) throw new Error("the issuer has no key");
    const now = Math.floor(Date.now() / 1_000);
    const all = { iss: this.url, aud: "binnacle", sub: "alice", iat: now, exp: now + 3_600, ...claims };
    return new SignJWT(all).setProtectedHeader({ alg: "ES256", kid: key.jwk.kid ?? "", ...header }).sign(key.privateKey);
  }

  #answer(path: string | undefined): object | undefined {
    if (path === "/.well-known/openid-configuration") return { issuer: this.url, jwks_uri: `${this.url}/keys` };
    return path === "/keys" ? { keys: this.#keys.map(({ jwk }) => jwk) } : undefined;
  }
}
