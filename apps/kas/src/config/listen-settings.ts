import { readFileSync } from "node:fs";

import type { ListenAddress } from "../http2-listener/listen-address.ts";

/** The keys every listener has. */
export interface ListenConfig {
  readonly network: "tcp" | "tcp4" | "tcp6" | "unix";
  readonly address: string;
}

/**
 * Where to listen.
 *
 * @throws Error that says what an address looks like
 */
export function listenAddressOf(config: ListenConfig): ListenAddress {
  if (config.network === "unix") return { path: config.address };
  const match = /^(?:\[([^\]]+)\]|([^:]*)):(\d{1,5})$/.exec(config.address);
  const port = Number(match?.[3]);
  if (match === null || port > 65_535) throw new Error(`"${config.address}" is no address; write it like 127.0.0.1:8150 or [::1]:8150`);
  return { host: match[1] ?? (match[2] === "" ? "0.0.0.0" : (match[2] ?? "")), port };
}

/** Certificate and key of a listener; undefined without TLS. @throws Error when a file cannot be read */
export function tlsOf(config: {
  readonly certificate_file?: string | undefined;
  readonly key_file?: string | undefined;
}): { readonly cert: Buffer; readonly key: Buffer } | undefined {
  if (config.certificate_file === undefined || config.key_file === undefined) return undefined;
  return { cert: readFileSync(config.certificate_file), key: readFileSync(config.key_file) };
}
