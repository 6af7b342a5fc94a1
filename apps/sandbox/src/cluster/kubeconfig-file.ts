import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { parse } from "yaml";

/** What the current context of a kubeconfig says of a cluster and of who we are there. */
export interface KubeAccess {
  /** Without a trailing slash. */
  readonly server: string;
  readonly ca: Buffer | undefined;
  readonly clientCertificate: Buffer | undefined;
  readonly clientKey: Buffer | undefined;
  readonly token: string | undefined;
}

/**
 * Reads a kubeconfig of the sandbox's own clusters: certificates as files or data, and tokens. (The kubeconfig of
 * `--kubeconfig` is read by agentk alone.)
 */
export function readKubeconfig(file: string): KubeAccess {
  const root: unknown = parse(readFileSync(file, "utf8"));
  const context = named(root, "contexts", text(root, "current-context"));
  const cluster = named(root, "clusters", text(context, "cluster"));
  const user = named(root, "users", text(context, "user"));
  const server = text(cluster, "server");
  if (server === undefined) throw new Error(`${file} names no server`);
  const bytes = (holder: unknown, key: string): Buffer | undefined => {
    const data = text(holder, `${key}-data`);
    if (data !== undefined) return Buffer.from(data, "base64");
    const path = text(holder, key);
    return path === undefined ? undefined : readFileSync(resolve(dirname(file), path));
  };
  return {
    server: server.replace(/\/$/, ""),
    ca: bytes(cluster, "certificate-authority"),
    clientCertificate: bytes(user, "client-certificate"),
    clientKey: bytes(user, "client-key"),
    token: text(user, "token"),
  };
}

/** The content of the entry with that name: of the list "users" its "user". */
function named(root: unknown, list: string, name: string | undefined): unknown {
  const entries = member(root, list);
  const entry: unknown = Array.isArray(entries) ? entries.find((candidate) => text(candidate, "name") === name) : undefined;
  return member(entry, list.slice(0, -1));
}

function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function text(value: unknown, key: string): string | undefined {
  const found = member(value, key);
  return typeof found === "string" && found !== "" ? found : undefined;
}
