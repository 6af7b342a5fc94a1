import { readFileSync } from "node:fs";

import {
  createHttpsTransport,
  EnvironmentView,
  HttpKubeClient,
  type HttpsTransport,
  type ViewSubscription,
} from "@binnacle/environment-view";
import { encodeKey, keyOf, projectObject, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { Presence } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { CoreV1Api, KubeConfig, makeInformer } from "@kubernetes/client-node";

import { BENCH_NAMESPACE, BENCH_PODS } from "./bench-pods.ts";

/** A way of holding all pods. */
export interface Contender {
  /** Settles once all pods are held. */
  fill(): Promise<void>;
  /** How many are held; keeps them from being collected before. */
  count(): number;
}

const PODS: ResourceKind = {
  group: "",
  version: "v1",
  kind: "Pod",
  resource: "pods",
  namespaced: true,
  verbs: ["list", "watch"],
  subresources: [],
  shortNames: [],
};
const NEVER = new AbortController().signal;

/** Where the API server is; names of files. */
export interface ContenderTarget {
  readonly server: string;
  readonly kubeconfig: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** All ways by name; each gets ready without talking to the API server. */
export const CONTENDERS: ReadonlyMap<string, (target: ContenderTarget) => Promise<Contender>> = new Map(
  Object.entries({ view, store, raw, informer }),
);

function transportOf({ server, caFile, certFile, keyFile }: ContenderTarget): HttpsTransport {
  const read = (file: string): string => readFileSync(file, "utf8");
  return createHttpsTransport({ baseUrl: server, ca: read(caFile), cert: read(certFile), key: read(keyFile) });
}

/** The whole EnvironmentView: discovery, every kind of the namespace, graph, health, and the message with all nodes. */
function view(target: ContenderTarget): Promise<Contender> {
  const client = new HttpKubeClient(transportOf(target));
  const all = new EnvironmentView({ client, scope: { namespaces: [BENCH_NAMESPACE] }, clock: systemClock });
  let nodes = 0;
  let subscription: ViewSubscription | undefined;
  const fill = (): Promise<void> =>
    new Promise((resolve, reject) => {
      subscription = all.open(() => {
        const message = subscription?.take();
        if (message === undefined) return;
        const shown = message.kind === "snapshot" ? message.nodes : message.upsertedNodes;
        nodes += shown.filter(({ ref, presence }) => ref?.kind === "Pod" && presence === Presence.PRESENT).length;
        if (message.complete === true && nodes >= BENCH_PODS) resolve();
      });
      all.run(NEVER).catch(reject);
    });
  return Promise.resolve({ fill, count: () => nodes });
}

/** What a view keeps of the pods, and nothing else of it: a streamed list, each object projected as it comes. */
function store(target: ContenderTarget): Promise<Contender> {
  const client = new HttpKubeClient(transportOf(target));
  const objects = new Map<string, KubeObject>();
  const fill = async (): Promise<void> => {
    for await (const event of client.stream({ kind: PODS, namespace: BENCH_NAMESPACE, metadataOnly: false }, NEVER)) {
      if (event.type === "BOOKMARK") return;
      if (event.type === "ADDED") objects.set(encodeKey(keyOf(event.object)), projectObject(event.object));
    }
  };
  return Promise.resolve({ fill, count: () => objects.size });
}

/** The least that anybody can do who keeps everything: one list, JSON.parse. */
function raw(target: ContenderTarget): Promise<Contender> {
  const transport = transportOf(target);
  let items: readonly unknown[] = [];
  const fill = async (): Promise<void> => {
    const path = `/api/v1/namespaces/${BENCH_NAMESPACE}/pods`;
    const answer = await transport.request({ method: "GET", path, accept: "application/json" }, NEVER);
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    // A PodList of the API server.
    items = (JSON.parse(Buffer.concat(chunks).toString("utf8")) as { items: unknown[] }).items;
  };
  return Promise.resolve({ fill, count: () => items.length });
}

/** The informer of @kubernetes/client-node, as its examples use it. */
function informer(target: ContenderTarget): Promise<Contender> {
  const config = new KubeConfig();
  config.loadFromFile(target.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const path = `/api/v1/namespaces/${BENCH_NAMESPACE}/pods`;
  const cache = makeInformer(config, path, () => api.listNamespacedPod({ namespace: BENCH_NAMESPACE }));
  // `start` settles after the first list has been taken in.
  return Promise.resolve({ fill: () => cache.start(), count: () => cache.list().length });
}
