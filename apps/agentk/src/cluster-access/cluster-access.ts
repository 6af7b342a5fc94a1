import type { ConnectionOptions } from "node:tls";

import type { ImpersonatedIdentity } from "./impersonation.ts";

/** TLS towards the API server. The same object is returned until something in it changes. */
export type ClusterTls = Pick<ConnectionOptions, "ca" | "cert" | "key" | "servername" | "rejectUnauthorized">;

/** Where the API server is and how we prove who we are. */
export interface ClusterAccess {
  /** Base URL; a path is put in front of every request's path. */
  readonly server: URL;
  /** HTTP or SOCKS5 proxy to go through. */
  readonly proxy: URL | undefined;
  /** Impersonation that the kubeconfig itself asks for. */
  readonly identity: ImpersonatedIdentity | undefined;
  tls(): ClusterTls;
  /**
   * Value of the `Authorization` header; undefined when the client certificate says it all. Call it before `tls`.
   *
   * @throws Fault `cluster_unavailable` when a credential cannot be had
   */
  authorization(): string | undefined | Promise<string | undefined>;
  /** The API server answered 401: get the credential anew next time. */
  refused(): void;
}
