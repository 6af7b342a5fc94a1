import { readFileSync } from "node:fs";

import { KubeHttp } from "../cluster/kube-http.ts";
import { proxyServer } from "./user-kubeconfigs.ts";
import { waitUntil } from "./wait-until.ts";

const CONNECT_MS = 60_000;

/** A person's way to the cluster. */
export interface WayThroughKas {
  /** https://host:port of a k8s-proxy */
  readonly k8sProxy: string;
  /** Bearer token there. */
  readonly token: string;
  readonly caFile: string;
  readonly signal: AbortSignal;
}

/**
 * Waits until the Kubernetes API answers through kas and agentk, and does something there.
 *
 * @throws Fault that says what it has answered instead
 */
export async function throughKas(
  { k8sProxy, token, caFile, signal }: WayThroughKas,
  work: (http: KubeHttp) => Promise<void>,
): Promise<void> {
  const access = { server: proxyServer(k8sProxy), token, ca: readFileSync(caFile), clientCertificate: undefined, clientKey: undefined };
  const http = new KubeHttp(access);
  const version = async (): Promise<true> => {
    const { status } = await http.send({ method: "GET", path: "/version" });
    if (status === 200) return true;
    throw new Error(`it answers ${status}`);
  };
  try {
    await waitUntil(version, { what: "the Kubernetes API answers through kas", timeoutMs: CONNECT_MS, signal });
    await work(http);
  } finally {
    await http.close();
  }
}
