import { X509Certificate } from "node:crypto";

import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ConfigFile } from "../config/config-files.ts";
import { followFiles } from "../config/follow-files.ts";
import type { HttpDialer } from "./http-dialer.ts";

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
