import { readFileSync } from "node:fs";

import { Secret } from "@binnacle/telemetry";

import type { RedisEndpoint, RedisSettings } from "../redis/redis-connection.ts";
import type { KasConfig } from "./schema.ts";

type RedisConfig = NonNullable<KasConfig["redis"]>;

function hostAndPort(address: string): { readonly host: string; readonly port: number } {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(address);
  if (match === null) throw new Error(`"${address}" is no Redis address; write it like 127.0.0.1:6379`);
  return { host: match[1] ?? match[2] ?? "", port: Number(match[3]) };
}

function endpointOf(config: RedisConfig): RedisEndpoint {
  const { sentinel, server } = config;
  if (sentinel !== undefined) {
    const file = sentinel.sentinel_password_file;
    return {
      kind: "sentinel",
      masterName: sentinel.master_name,
      sentinels: sentinel.addresses.map(hostAndPort),
      ...(file === undefined ? {} : { sentinelPassword: new Secret(readFileSync(file, "utf8").trim()) }),
    };
  }
  const address = server?.address ?? "";
  return config.network === "unix" ? { kind: "socket", path: address } : { kind: "server", ...hostAndPort(address) };
}

/** How to reach Redis. @throws Error for an address or a file that cannot be used */
export function redisSettingsOf(config: RedisConfig): RedisSettings {
  const read = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readFileSync(file));
  const { tls, username, password_file: passwordFile } = config;
  const ca = read(tls.ca_certificate_file);
  const cert = read(tls.certificate_file);
  const key = read(tls.key_file);
  return {
    endpoint: endpointOf(config),
    keyPrefix: config.key_prefix,
    dialTimeoutMs: config.dial_timeout,
    commandTimeoutMs: config.read_timeout,
    ...(username === undefined ? {} : { username }),
    ...(passwordFile === undefined ? {} : { password: new Secret(readFileSync(passwordFile, "utf8").trim()) }),
    ...(tls.enabled ? { tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } } : {}),
  };
}
