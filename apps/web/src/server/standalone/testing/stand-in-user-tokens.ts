import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { verifyPassword, type Organization } from "@binnacle/organization";
import { decodeJwt, jwtVerify } from "jose";

import { userTokenOf } from "./organization-of-test.ts";

/** The secret of kas and the dashboard, base64. */
export const WEB_SECRET = Buffer.alloc(32, 9).toString("base64");

const LIFETIME_MS = 600_000;

/** A stand-in of the endpoint of kas that checks passwords and issues ID tokens of ten minutes; it has nothing else of kas. */
export class StandInUserTokens {
  readonly #server: Server;
  readonly #organization: () => Organization;
  /** Bodies without their secrets: "alice signs in", "alice renews". */
  readonly requests: string[] = [];
  /** Everything is answered with this status while set. */
  broken: number | undefined;
  /** Milliseconds since the epoch; tokens end ten minutes later. */
  now = (): number => Date.now();
  url = "";

  private constructor(organization: () => Organization) {
    this.#organization = organization;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => void chunks.push(chunk));
      request.on("end", () => {
        void this.#answer(request.headers.authorization ?? "", Buffer.concat(chunks).toString()).then(({ status, body }) => {
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        });
      });
    });
  }

  static async start(organization: () => Organization): Promise<StandInUserTokens> {
    const standIn = new StandInUserTokens(organization);
    await new Promise<void>((resolve) => standIn.#server.listen(0, "127.0.0.1", resolve));
    // A server on TCP has an address of this form.
    standIn.url = `http://127.0.0.1:${(standIn.#server.address() as AddressInfo).port}`;
    return standIn;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(authorization: string, text: string): Promise<{ readonly status: number; readonly body: object }> {
    if (this.broken !== undefined) return { status: this.broken, body: {} };
    const proof = await jwtVerify(authorization.replace("Bearer ", ""), Buffer.from(WEB_SECRET, "base64"), {
      issuer: "binnacle-web",
      audience: "binnacle-kas/users",
    }).catch(() => undefined);
    if (proof === undefined) return { status: 401, body: { reason: "jwt_invalid" } };
    // The client under test writes it.
    const body = JSON.parse(text) as { readonly username?: string; readonly password?: string; readonly id_token?: string };
    const name = body.id_token === undefined ? (body.username ?? "") : (decodeJwt(body.id_token).sub ?? "");
    this.requests.push(`${name} ${body.id_token === undefined ? "signs in" : "renews"}`);
    const user = this.#organization().user(name);
    const isGood = body.id_token === undefined ? await verifyPassword(body.password ?? "", user?.password) : user !== undefined;
    if (!isGood) return { status: 401, body: { reason: "token_unknown" } };
    const endsAtMs = this.now() + LIFETIME_MS;
    return { status: 200, body: { id_token: await userTokenOf(name, endsAtMs), expires_at_ms: endsAtMs } };
  }
}
