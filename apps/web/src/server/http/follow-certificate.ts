import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";

import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ConfigFile } from "../config/config-files.ts";
import type { WebConfig } from "../config/config.ts";
import { warnIfOpen } from "../config/file-permissions.ts";
import { followFiles } from "../config/follow-files.ts";
import type { HttpDialer } from "./http-dialer.ts";
import type { WebServer } from "./web-server.ts";

/** Shows a certificate that was replaced to every new connection; connections of before stay. Nothing to do without one. @returns ends it */
export function followCertificate(
  server: WebServer,
  { certificate_file: certificate, key_file: privateKey }: WebConfig["listen"],
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): () => void {
  if (!("setSecureContext" in server) || certificate === undefined || privateKey === undefined) return () => undefined;
  warnIfOpen(privateKey.file, "listen.key_file", log);
  const use = ([cert = "", key = ""]: readonly string[]): void => {
    assertPair(cert, key);
    server.setSecureContext({ cert, key });
  };
  return followFiles({ files: [certificate, privateKey], key: "listen.certificate_file, listen.key_file", use, clock, log });
}

/** @throws Error without a word of either file */
function assertPair(cert: string, key: string): void {
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error("they must be a certificate chain and its key, both in PEM form", { cause: error });
  }
}

/** Lets upstreams be dialled with an authority that was replaced. @returns ends it */
export function followAuthority(
  file: ConfigFile<string>,
  dialers: readonly Pick<HttpDialer, "trust">[],
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
): () => void {
  const use = ([text = ""]: readonly string[]): void => {
    assertCertificate(text);
    for (const dialer of dialers) dialer.trust(text);
  };
  return followFiles({ files: [file], key: "ca_certificate_file", use, clock, log });
}

/** @throws Error */
function assertCertificate(text: string): void {
  try {
    void new X509Certificate(text);
  } catch (error) {
    throw new Error("it must be a certificate in PEM form", { cause: error });
  }
}
