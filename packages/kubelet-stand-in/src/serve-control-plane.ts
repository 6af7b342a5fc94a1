import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

import { systemClock, type Clock } from "@binnacle/rpc";

import type { KubeletServer } from "./kubelet-server.ts";
import { podOf, type PodSource } from "./pod.ts";
import { PodStreams } from "./pod-streams.ts";
import { StreamError } from "./status.ts";

/** Files of a control plane: `ControlPlane` of `@binnacle/control-plane` has them all. */
export interface ControlPlaneFiles {
  /** `https://127.0.0.1:port` of the API server. */
  readonly server: string;
  readonly caFile: string;
  /** Client certificate with the right to read pods, and its key. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly kubelet: { readonly certFile: string; readonly keyFile: string; readonly clientName: string };
}

const MAX_POD_BYTES = 4 * 1024 * 1024;
const ANSWER_MS = 10_000;

/**
 * Serves the pods of a real control plane whose Nodes name the port of this kubelet. Pods are read from the API server for each request.
 *
 * @returns closes the connections to the API server
 */
export function serveControlPlane(kubelet: KubeletServer, files: ControlPlaneFiles, clock: Clock = systemClock): () => void {
  const read = (file: string): string => readFileSync(file, "utf8");
  const agent = new Agent({ keepAlive: true, ca: read(files.caFile), cert: read(files.certFile), key: read(files.keyFile) });
  kubelet.serve(
    {
      certificate: read(files.kubelet.certFile),
      key: read(files.kubelet.keyFile),
      clientCa: read(files.caFile),
      clientName: files.kubelet.clientName,
    },
    new PodStreams({ pods: podsOf(files.server, agent), clock }),
  );
  return () => agent.destroy();
}

function podsOf(server: string, agent: Agent): PodSource {
  return async (namespace, name) => {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
    const { code, body } = await get(`${server}${path}`, agent);
    if (code === 404) return undefined;
    if (code !== 200) throw new StreamError(500, "InternalError", `the API server answered ${code} for pod ${name}`);
    return podOf(JSON.parse(body));
  };
}

function get(url: string, agent: Agent): Promise<{ readonly code: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new StreamError(500, "InternalError", "the API server cannot be reached"));
    const outgoing = request(url, { agent, headers: { accept: "application/json" }, timeout: ANSWER_MS }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_POD_BYTES) outgoing.destroy(new Error("answer too large"));
        else chunks.push(chunk);
      });
      response.on("end", () => resolve({ code: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      response.on("error", fail);
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer in time")));
    outgoing.on("error", fail);
    outgoing.end();
  });
}
