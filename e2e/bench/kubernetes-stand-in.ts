import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const MIB = 1024 * 1024;

/** A seeded generator (mulberry32): the same list on every machine. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** About 50 MiB of a PodList, ~1.1 kB a pod, seed 42. */
function podList(): Buffer {
  const random = randomOf(42);
  const hex = (length: number): string => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join("");
  const pods: string[] = [];
  let bytes = 0;
  while (bytes < 50 * MIB) {
    const pod = JSON.stringify({
      metadata: { name: `pod-${hex(10)}`, namespace: "bench", uid: hex(32), labels: { app: hex(8), "pod-template-hash": hex(10) } },
      spec: {
        nodeName: `node-${hex(4)}`,
        containers: [{ name: "app", image: `registry.invalid/${hex(12)}:${hex(8)}`, env: [{ name: "A", value: hex(400) }] }],
      },
      status: {
        phase: "Running",
        podIP: "10.0.0.1",
        containerStatuses: [{ name: "app", ready: true, restartCount: 0, containerID: hex(64), imageID: hex(64) }],
      },
    });
    pods.push(pod);
    bytes += pod.length + 1;
  }
  return Buffer.from(`{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[${pods.join(",")}]}`);
}

/** The stand-in for a Kubernetes API of the benchmarks: fixed answers whose cost is known. */
export interface KubernetesStandIn {
  readonly url: string;
  readonly listBytes: number;
  close(): void;
}

function sendLarge(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { "content-type": "application/json" });
  let offset = 0;
  const more = (): void => {
    while (offset < body.length) {
      const chunk = body.subarray(offset, offset + 64 * 1024);
      offset += chunk.length;
      if (!response.write(chunk)) return void response.once("drain", more);
    }
    response.end();
  };
  more();
}

/** @param port 0 for a free one. Serves `/small` (4096 bytes with a length), `/list` (50 MiB chunked) and what an agent and a sandbox ask at start. */
export async function openKubernetesStandIn(port = 0): Promise<KubernetesStandIn> {
  const small = Buffer.from(
    JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "small" }, data: { text: "x".repeat(4096) } }).replace(
      /x{4096}/,
      "x".repeat(4096 - 86),
    ),
  ).subarray(0, 4096);
  const padded = Buffer.concat([small, Buffer.alloc(Math.max(0, 4096 - small.length), 0x20)]);
  const list = podList();
  const empty = (kind: string): string => JSON.stringify({ kind, apiVersion: "v1", metadata: { resourceVersion: "1" }, items: [] });
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (path === "/small")
      return void response.writeHead(200, { "content-type": "application/json", "content-length": padded.length }).end(padded);
    if (path === "/list") return sendLarge(response, list);
    if (path === "/version")
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"major":"1","minor":"36","gitVersion":"v1.36.3","platform":"linux/amd64"}');
    if (path === "/api/v1/namespaces") {
      const items = [{ metadata: { name: "bench" } }];
      return void response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ kind: "NamespaceList", apiVersion: "v1", metadata: {}, items }));
    }
    return void response.writeHead(200, { "content-type": "application/json" }).end(empty("List"));
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // A TCP server has an address object once it listens.
  const bound = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${bound.port}`, listBytes: list.length, close: () => void server.close() };
}
