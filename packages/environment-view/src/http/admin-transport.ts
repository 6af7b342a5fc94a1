import { readFileSync } from "node:fs";

import { createHttpsTransport, type HttpsTransport } from "./https-transport.ts";

/** Where an API server is, and the files of who may do everything there. */
interface AdminAccess {
  readonly server: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** For tests: requests to a control plane as its administrator. */
export function adminTransport({ server, caFile, certFile, keyFile }: AdminAccess): HttpsTransport {
  const [ca = "", cert = "", key = ""] = [caFile, certFile, keyFile].map((file) => readFileSync(file, "utf8"));
  return createHttpsTransport({ baseUrl: server, ca, cert, key });
}
