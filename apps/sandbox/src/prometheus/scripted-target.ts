import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { listAt } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";

import { KubeHttp } from "../cluster/kube-http.ts";
import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { scriptedMetrics } from "./scripted-metrics.ts";

/** What a Prometheus looks at instead of a cluster's exporters. */
export interface ScriptedTarget {
  readonly port: number;
  close(): Promise<void>;
}

/** Serves `/metrics` of the pods that the cluster has now, on loopback. @param kubeconfig of an administrator */
export async function startScriptedTarget(kubeconfig: string): Promise<ScriptedTarget> {
  const http = new KubeHttp(readKubeconfig(kubeconfig));
  const itemsAt = async (path: string): Promise<readonly unknown[]> => listAt((await http.send({ method: "GET", path })).body, "items");
  const server = createServer((_request, response) => {
    Promise.all([itemsAt("/api/v1/pods"), itemsAt("/apis/networking.k8s.io/v1/ingresses")]).then(
      ([pods, ingresses]) =>
        response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(scriptedMetrics(pods, ingresses, systemClock.now())),
      // The cluster ends before this does.
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  // A TCP server has an address object once it listens.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await http.close();
    },
  };
}
