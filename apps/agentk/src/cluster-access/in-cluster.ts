import { existsSync } from "node:fs";
import { join } from "node:path";

import { Fault, type Clock } from "@binnacle/rpc";

import { CachedFile } from "../base/cached-file.ts";
import type { ClusterAccess, ClusterTls } from "./cluster-access.ts";

/** Where kubelet mounts the ServiceAccount. */
const SERVICE_ACCOUNT_DIRECTORY = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Where the pod's facts come from. */
export interface InClusterOptions {
  readonly host: string | undefined;
  readonly port: string | undefined;
  readonly clock: Clock;
  readonly directory?: string;
}

/**
 * Access as the pod's own ServiceAccount. Token and CA are read again when they are replaced; proxies of the environment are not used.
 *
 * @throws Fault `configuration_invalid` outside of a cluster
 */
export function inClusterAccess(options: InClusterOptions): ClusterAccess {
  const { host, port, clock, directory = SERVICE_ACCOUNT_DIRECTORY } = options;
  if (!host || !port) throw new Fault("configuration_invalid", "not in a cluster (KUBERNETES_SERVICE_HOST is not set): give --kubeconfig");
  for (const name of ["token", "ca.crt"]) {
    if (!existsSync(join(directory, name)))
      throw new Fault("configuration_invalid", `the ServiceAccount file ${join(directory, name)} is missing`);
  }
  const token = new CachedFile(join(directory, "token"), clock);
  const ca = new CachedFile(join(directory, "ca.crt"), clock);
  let tls: ClusterTls = {};
  return {
    server: new URL(`https://${host.includes(":") ? `[${host}]` : host}:${port}`),
    proxy: undefined,
    identity: undefined,
    tls() {
      const pem = ca.read();
      if (tls.ca !== pem) tls = { ca: pem };
      return tls;
    },
    authorization: () => `Bearer ${token.read()}`,
    refused: () => token.expire(),
  };
}
