import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

import { systemClock, type Clock } from "@binnacle/rpc";

import type { KubeletServer } from "./kubelet-server.ts";
import { podStatusOf, withEnd } from "./ephemeral-status.ts";
import { podOf, type Pod, type PodSource } from "./pod.ts";
import { PodStreams, type ContainerEnd } from "./pod-streams.ts";
import { StreamError } from "./status.ts";

/** Files of a control plane: `ControlPlane` of `@binnacle/control-plane` has them all. */
export interface ControlPlaneFiles {
  /** `https://127.0.0.1:port` of the API server. */
  readonly server: string;
  readonly caFile: string;
  /** Client certificate with the right to read pods and to write their status, and its key. */
  readonly certFile: string;
  readonly keyFile: string;
  readonly kubelet: { readonly certFile: string; readonly keyFile: string; readonly clientName: string };
}

const MAX_POD_BYTES = 4 * 1024 * 1024;
const ANSWER_MS = 10_000;
/** Of a write that others overtake. */
const MAX_ATTEMPTS = 5;

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
    new PodStreams({
      pods: podsOf(files.server, agent),
      ended: (pod, container, end) =>
        writeEnd(podUrl(files.server, pod.namespace, pod.name), agent, { pod, container: container.name, end }),
      clock,
    }),
  );
  return () => agent.destroy();
}

function podsOf(server: string, agent: Agent): PodSource {
  return async (namespace, name) => {
    const { code, body } = await send(podUrl(server, namespace, name), agent);
    if (code === 404) return undefined;
    if (code !== 200) throw new StreamError(500, "InternalError", `the API server answered ${code} for pod ${name}`);
    return podOf(JSON.parse(body));
  };
}

function podUrl(server: string, namespace: string, name: string): string {
  return `${server}/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}`;
}

/** Writes the status of a container that has ended; other writers of the status are read again. */
async function writeEnd(
  url: string,
  agent: Agent,
  { pod, container, end }: { readonly pod: Pod; readonly container: string; readonly end: ContainerEnd },
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const { code, body } = await send(url, agent);
    if (code !== 200) return;
    const present = podStatusOf(JSON.parse(body));
    if (present.uid !== pod.uid) return;
    const { resourceVersion } = present;
    const patch = { metadata: { resourceVersion }, status: withEnd(present.status, { container, end }) };
    if ((await send(`${url}/status`, agent, JSON.stringify(patch))).code !== 409) return;
  }
}

/** @param patch a merge patch; a request without one reads. @throws StreamError */
function send(url: string, agent: Agent, patch?: string): Promise<{ readonly code: number; readonly body: string }> {
  const headers = { accept: "application/json", ...(patch === undefined ? {} : { "content-type": "application/merge-patch+json" }) };
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(new StreamError(500, "InternalError", "the API server cannot be reached"));
    const method = patch === undefined ? "GET" : "PATCH";
    const outgoing = request(url, { method, agent, headers, timeout: ANSWER_MS }, (response) => {
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
    outgoing.end(patch);
  });
}
