import { jwtVerify } from "jose";

import type { HttpRequest } from "./http-exchange.ts";

/** Whether a request comes from kas: the JWT in `Gitlab-Kas-Api-Request` (HS256, issuer gitlab-kas, audience gitlab, expiry required). */
export async function isKasRequest(request: HttpRequest, secret: Uint8Array): Promise<boolean> {
  const token = request.headers.get("gitlab-kas-api-request");
  if (token === undefined) return false;
  try {
    await jwtVerify(token, secret, { algorithms: ["HS256"], issuer: "gitlab-kas", audience: "gitlab", requiredClaims: ["exp"] });
    return true;
  } catch {
    return false;
  }
}
