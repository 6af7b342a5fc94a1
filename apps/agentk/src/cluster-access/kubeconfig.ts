import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";

import { parseJson } from "@binnacle/kube";
import { Fault, type Clock } from "@binnacle/rpc";
import type * as yaml from "yaml";

import { CachedFile } from "../base/cached-file.ts";
import type { ImpersonatedIdentity } from "./impersonation.ts";
import type { ClusterAccess, ClusterTls } from "./cluster-access.ts";
import { ExecCredentialSource, parseExecPlugin } from "./exec-credential.ts";
import { Untyped } from "./untyped.ts";

/** Which part of which file. */
export interface KubeconfigOptions {
  readonly path: string;
  /** Default: `current-context`. */
  readonly context: string | undefined;
  /** Environment of exec plugins. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/**
 * Access as a kubeconfig says: certificates (data and files), tokens, token files, basic, exec plugins, `proxy-url`, `tls-server-name`,
 * `insecure-skip-tls-verify`, `as…`. Relative paths begin at the file. Files named in it are read again when they are replaced, the kubeconfig is not.
 *
 * @throws Fault `configuration_invalid` naming file and key
 */
export function kubeconfigAccess(options: KubeconfigOptions): ClusterAccess {
  const path = resolve(options.path);
  try {
    return accessOf(new Untyped(load(path), ""), { ...options, path });
  } catch (error) {
    if (error instanceof Fault) throw new Fault(error.reason, `kubeconfig ${path}: ${error.message}`, { cause: error });
    throw error;
  }
}

function load(path: string): unknown {
  try {
    const text = readFileSync(path, "utf8");
    const json = parseJson(text);
    if (json !== undefined) return json;
    // JSON is YAML, and needs no parser of it. The type is what the package exports.
    const { parse } = createRequire(import.meta.url)("yaml") as typeof yaml;
    return parse(text, { maxAliasCount: 100 });
  } catch (error) {
    throw new Fault("configuration_invalid", error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function accessOf(config: Untyped, options: KubeconfigOptions): ClusterAccess {
  const contextName = options.context ?? config.get("current-context").text();
  if (contextName === undefined) throw new Fault("configuration_invalid", "it has no current-context: give --context");
  const context = named(config, { list: "contexts", name: contextName, key: "context" });
  const cluster = named(config, { list: "clusters", name: context.get("cluster").text() ?? "", key: "cluster" });
  const userName = context.get("user").text();
  const user = userName === undefined ? new Untyped({}, "user") : named(config, { list: "users", name: userName, key: "user" });
  const text = materialReader(options);
  const server = urlOf(cluster.get("server"));
  if (!server || !["http:", "https:"].includes(server.protocol)) throw cluster.get("server").wrong("an http or https URL");
  if (user.get("auth-provider").value !== undefined)
    throw user.get("auth-provider").wrong("an exec plugin instead (auth providers are gone from Kubernetes)");
  const exec =
    user.get("exec").value === undefined ? undefined : new ExecCredentialSource(withEnvironment(user.get("exec"), options), options.clock);
  const token = text(user, { file: "tokenFile", data: undefined }) ?? inline(user.get("token").text());
  const basic = basicOf(user);
  return {
    server,
    proxy: urlOf(cluster.get("proxy-url")),
    identity: identityOf(user),
    tls: tlsReader({ cluster, user, exec, text }),
    authorization() {
      if (token) return `Bearer ${token.read()}`;
      if (basic !== undefined) return basic;
      const credential = exec?.get();
      if (credential instanceof Promise) return credential.then((got) => (got.token === undefined ? undefined : `Bearer ${got.token}`));
      return credential?.token === undefined ? undefined : `Bearer ${credential.token}`;
    },
    refused() {
      token?.expire();
      exec?.expire();
    },
  };
}

/** Something read from a file, again and again, or given in place. */
interface Material {
  read(): string;
  expire(): void;
}

type MaterialReader = (where: Untyped, keys: { readonly file: string; readonly data: string | undefined }) => Material | undefined;

/** In place (base64) wins over a file, as in client-go. */
function materialReader(options: KubeconfigOptions): MaterialReader {
  return (where, keys) => {
    const data = keys.data === undefined ? undefined : where.get(keys.data).text();
    if (data !== undefined) return inline(Buffer.from(data, "base64").toString("utf8"));
    const file = where.get(keys.file).text();
    if (file === undefined) return undefined;
    const path = isAbsolute(file) ? file : join(dirname(options.path), file);
    const cached = new CachedFile(path, options.clock);
    try {
      cached.read();
    } catch (error) {
      throw new Fault("configuration_invalid", `${where.place}.${keys.file}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    return cached;
  };
}

function inline(text: string | undefined): Material | undefined {
  return text === undefined ? undefined : { read: () => text, expire: () => {} };
}

function tlsReader(from: {
  readonly cluster: Untyped;
  readonly user: Untyped;
  readonly exec: ExecCredentialSource | undefined;
  readonly text: MaterialReader;
}): () => ClusterTls {
  const { cluster, user, exec, text } = from;
  const ca = text(cluster, { file: "certificate-authority", data: "certificate-authority-data" });
  const cert = text(user, { file: "client-certificate", data: "client-certificate-data" });
  const key = text(user, { file: "client-key", data: "client-key-data" });
  if ((cert === undefined) !== (key === undefined)) throw user.wrong("client-certificate and client-key together");
  const insecure = cluster.get("insecure-skip-tls-verify").flag();
  const servername = cluster.get("tls-server-name").text();
  let parts = "";
  let tls: ClusterTls = {};
  return () => {
    const now = {
      ca: insecure ? undefined : ca?.read(),
      cert: cert?.read() ?? exec?.current?.certificate,
      key: key?.read() ?? exec?.current?.key,
    };
    const nowParts = JSON.stringify(now);
    if (nowParts === parts) return tls;
    parts = nowParts;
    tls = {
      ...(now.ca === undefined ? {} : { ca: now.ca }),
      ...(now.cert === undefined ? {} : { cert: now.cert }),
      ...(now.key === undefined ? {} : { key: now.key }),
      ...(servername === undefined ? {} : { servername }),
      ...(insecure ? { rejectUnauthorized: false } : {}),
    };
    return tls;
  };
}

function withEnvironment(exec: Untyped, options: KubeconfigOptions): ReturnType<typeof parseExecPlugin> {
  const plugin = parseExecPlugin(exec, dirname(options.path));
  return { ...plugin, env: { ...options.env, ...plugin.env } };
}

function named(config: Untyped, which: { readonly list: string; readonly name: string; readonly key: string }): Untyped {
  const item = config
    .get(which.list)
    .list()
    .find((candidate) => candidate.get("name").text() === which.name);
  if (!item) throw new Fault("configuration_invalid", `${which.list} has no entry named "${which.name}"`);
  return item.get(which.key);
}

function urlOf(where: Untyped): URL | undefined {
  const text = where.text();
  if (text === undefined) return undefined;
  if (!URL.canParse(text)) throw where.wrong("a URL");
  return new URL(text);
}

function basicOf(user: Untyped): string | undefined {
  const name = user.get("username").text();
  return name === undefined ? undefined : `Basic ${Buffer.from(`${name}:${user.get("password").text() ?? ""}`).toString("base64")}`;
}

function identityOf(user: Untyped): ImpersonatedIdentity | undefined {
  const username = user.get("as").text();
  const groups = user.get("as-groups").texts();
  const uid = user.get("as-uid").text() ?? "";
  const extra = new Map(
    user
      .get("as-user-extra")
      .entries()
      .map(([key, values]) => [key, values.texts()] as const),
  );
  if (username === undefined) {
    if (groups.length > 0 || uid !== "" || extra.size > 0)
      throw user.get("as").wrong("a user name beside as-groups, as-uid and as-user-extra");
    return undefined;
  }
  return { username, groups, uid, extra };
}
