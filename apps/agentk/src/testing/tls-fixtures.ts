import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Path of a file made for tests only: one authority, a server (127.0.0.1, api.test) and a client of it, and another authority. Valid for a century. */
export function tlsFixturePath(name: "ca.pem" | "other-ca.pem" | "server.pem" | "server.key" | "client.pem" | "client.key"): string {
  return fileURLToPath(new URL(`fixtures/tls/${name}`, import.meta.url));
}

/** Text of such a file. */
export function tlsFixture(name: Parameters<typeof tlsFixturePath>[0]): string {
  return readFileSync(tlsFixturePath(name), "utf8");
}
