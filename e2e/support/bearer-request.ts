import { readFileSync } from "node:fs";

import { Agent, request } from "undici";
import { parse } from "yaml";

/** How to reach an API server with a bearer token. */
export interface BearerTarget {
  /** Base URL without a trailing slash. */
  readonly server: string;
  readonly token: string;
  /** Authority that signed the server's certificate, PEM; absent: those of Node. */
  readonly ca?: string;
  readonly dispatcher: Agent;
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: {
      readonly server: string;
      readonly "certificate-authority"?: string;
      readonly "certificate-authority-data"?: string;
    };
  }[];
  readonly users: readonly {
    readonly user: { readonly token?: string; readonly "client-certificate"?: string; readonly "client-key"?: string };
  }[];
}

/** The target of a kubeconfig with one cluster and one user. */
export function targetOf(kubeconfigFile: string): BearerTarget {
  // The file is written by the sandbox or by the control plane's scripts.
  const config = parse(readFileSync(kubeconfigFile, "utf8")) as Kubeconfig;
  const cluster = config.clusters[0]?.cluster;
  const user = config.users[0]?.user;
  if (cluster === undefined || user === undefined) throw new Error(`${kubeconfigFile} has no cluster or no user`);
  const read = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readFileSync(file));
  const inline = cluster["certificate-authority-data"];
  const ca = inline === undefined ? read(cluster["certificate-authority"]) : Buffer.from(inline, "base64");
  const cert = read(user["client-certificate"]);
  const key = read(user["client-key"]);
  const connect = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  return {
    ...(ca && { ca: ca.toString() }),
    server: cluster.server.replace(/\/$/, ""),
    token: user.token ?? "",
    dispatcher: new Agent({ allowH2: false, bodyTimeout: 0, headersTimeout: 60_000, connect }),
  };
}

/** One request with the target's token. */
export function send(
  target: BearerTarget,
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
) {
  const headers: Record<string, string> = { accept: "application/json", ...init.headers };
  if (target.token !== "") headers["authorization"] ??= `Bearer ${target.token}`;
  return request(`${target.server}${path}`, {
    method: (init.method ?? "GET") as "GET",
    headers,
    dispatcher: target.dispatcher,
    ...(init.body === undefined ? {} : { body: init.body }),
    ...(init.signal === undefined ? {} : { signal: init.signal }),
  });
}
