import type { Transport } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { SignJWT } from "jose";

/** kas' API listener, as the main application calls it. */
export interface KasApi {
  readonly transport: Transport;
  /** Headers of one call. */
  headers(): Promise<{ readonly authorization: string }>;
}

/**
 * @param address `host:port` of the listener
 * @param secret decoded secret of that listener
 */
export function createKasApi(address: string, secret: Uint8Array): KasApi {
  return {
    transport: createGrpcTransport({ baseUrl: `http://${address}`, defaultTimeoutMs: 5_000 }),
    async headers() {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: "HS256" })
        .setIssuer("gitlab")
        .setAudience("gitlab-kas")
        .setIssuedAt()
        .setNotBefore("-5s")
        .setExpirationTime("60s")
        .sign(secret);
      return { authorization: `bearer ${token}` };
    },
  };
}
