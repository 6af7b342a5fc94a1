// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { encodeKey, keyOf, projectObject, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { WatchBudget } from "../limits/watch-budget.ts";
import { ConnectionMonitor } from "./connection-monitor.ts";
import { KindReflector } from "./kind-reflector.ts";
import type { KubeClient } from "../base/kube-client.ts";
import { Semaphore } from "../limits/semaphore.ts";
import { ObjectStore } from "../objects/object-store.ts";
import { HttpKubeClient } from "../http/http-kube-client.ts";
import { adminTransport } from "../http/admin-transport.ts";
import type { HttpsTransport } from "../http/https-transport.ts";
import type { KubeTransport } from "../http/kube-transport.ts";

const NEVER = new AbortController().signal;
const COUNT = 700;
const root = mkdtempSync(join(tmpdir(), "watch-list-"));
let plane: ControlPlane;
let transport: HttpsTransport;
let client: HttpKubeClient;
let kinds: readonly ResourceKind[];

beforeAll(async () => {
  // ConfigMaps come straight from etcd, whose history is short here: that is how a watch becomes too old.
  const apiServerArgs = ["--watch-cache-sizes=configmaps#0", "--etcd-compaction-interval=5s"];
  plane = await startControlPlane({ dir: join(root, "cluster"), apiServerOnly: true, apiServerArgs });
  transport = adminTransport(plane);
  client = new HttpKubeClient(transport);
  kinds = (await client.discover(undefined, NEVER))?.kinds ?? [];
  for (let from = 0; from < COUNT; from += 50) await Promise.all(Array.from({ length: 50 }, (_, index) => create(`m${from + index}`)));
});

afterAll(async () => {
  transport.close();
  await plane.stop();
  rmSync(root, { recursive: true, force: true });
});

async function create(name: string): Promise<void> {
  const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data: { key: "value".repeat(200) } };
  await client.json({ path: "/api/v1/namespaces/default/configmaps", body }, NEVER);
}

function kindNamed(resource: string): ResourceKind {
  const found = kinds.find((kind) => kind.resource === resource);
  if (!found) throw new Error(`${resource} is not served`);
  return found;
}

async function inPages(kind: ResourceKind, metadataOnly: boolean): Promise<KubeObject[]> {
  const items: KubeObject[] = [];
  let continueToken = "";
  do {
    const more = continueToken === "" ? {} : { continueToken };
    const page = await client.list({ kind, namespace: "", limit: 100, metadataOnly, ...more }, NEVER);
    items.push(...page.items);
    continueToken = page.continueToken;
  } while (continueToken !== "");
  return items;
}

/** What a stream brings until its initial events end. */
async function inOneStream(kind: ResourceKind, metadataOnly: boolean): Promise<KubeObject[]> {
  const items: KubeObject[] = [];
  for await (const event of client.stream({ kind, namespace: "", metadataOnly }, NEVER)) {
    if (event.type === "ADDED") items.push(event.object);
    else if (event.type === "BOOKMARK" && event.initialEventsEnd) return items;
    else throw new Error(`unexpected ${event.type}`);
  }
  throw new Error("the stream ended before its initial events did");
}

function sorted(objects: Iterable<KubeObject>): KubeObject[] {
  return [...objects].toSorted((a, b) => (encodeKey(keyOf(a)) < encodeKey(keyOf(b)) ? -1 : 1));
}

test("a streamed list has what the list in pages has, for every kind that can be listed and watched", async () => {
  const streamed = kinds.filter(({ verbs }) => verbs.includes("list") && verbs.includes("watch"));
  expect(streamed.length).toBeGreaterThan(30);
  for (const kind of streamed) {
    const metadataOnly = kind.resource === "secrets";
    expect(sorted(await inOneStream(kind, metadataOnly)), kind.resource).toEqual(sorted(await inPages(kind, metadataOnly)));
  }
});

/** A source of the ConfigMaps over the given client, what it shows, and its requests. */
function follow(over: KubeTransport, tamper: (client: HttpKubeClient) => Pick<KubeClient, "watch"> = (plain) => plain) {
  const requests: string[] = [];
  const plain = new HttpKubeClient({
    request: (request, signal) => {
      const query = new URL(request.path, "http://api").searchParams;
      if (request.path.includes("/configmaps"))
        requests.push(query.has("sendInitialEvents") ? "stream" : query.has("watch") ? "watch" : "list");
      return over.request(request, signal);
    },
  });
  const other = tamper(plain);
  const shown = new Map<string, KubeObject>();
  const store = new ObjectStore({
    upsert: (object) => shown.set(object.metadata.name, object),
    remove: (object) => shown.delete(object.metadata.name),
  });
  const monitor = new ConnectionMonitor({
    clock: systemClock,
    changed: () => {},
    prove: async (signal) => void (await plain.discover("", signal)),
  });
  const source = new KindReflector({
    kind: kindNamed("configmaps"),
    namespace: "default",
    client: {
      discover: (etag, signal) => plain.discover(etag, signal),
      list: (request, signal) => plain.list(request, signal),
      get: (request, signal) => plain.get(request, signal),
      stream: (request, signal) => plain.stream(request, signal),
      watch: (request, signal) => other.watch(request, signal),
    },
    clock: systemClock,
    monitor,
    semaphore: new Semaphore(8),
    metadataOnly: false,
    keep: projectObject,
    eager: true,
    watch: new WatchBudget().claim({ attention: "page", kind: 0 }),
    sampleMs: () => 60_000,
    budget: new ByteBudget(64 * 1024 * 1024),
    maxObjects: 10_000,
    target: {
      replace: (objects) => store.replace("configmaps", objects),
      upsert: (object) => store.upsert("configmaps", object),
      remove: (object) => store.remove("configmaps", object),
      changed: () => {},
    },
  });
  const stop = new AbortController();
  const ended = Promise.all([monitor.run(stop.signal), source.run(stop.signal)]);
  const end = async (): Promise<void> => {
    stop.abort();
    await ended;
  };
  return { requests, shown, source, end };
}

/** Settles once a watch from the very beginning is refused as too old. */
async function firstVersionForgotten(): Promise<void> {
  const request = { kind: kindNamed("configmaps"), namespace: "default", resourceVersion: "1", metadataOnly: true };
  for (;;) {
    for await (const event of client.watch(request, NEVER)) {
      if (event.type === "ERROR" && event.status.code === 410) return;
      break;
    }
  }
}

async function served(): Promise<string[]> {
  const kind = kindNamed("configmaps");
  const page = await client.list({ kind, namespace: "default", limit: 10_000, metadataOnly: true }, NEVER);
  return page.items.map(({ metadata }) => metadata.name).toSorted();
}

test("a disconnect in the initial events shows nothing, and the next stream shows everything", async () => {
  let streams = 0;
  const seen: number[] = [];
  const run = follow({
    request: async (request, signal) => {
      const response = await transport.request(request, signal);
      if (!request.path.includes("sendInitialEvents") || (streams += 1) > 1) return response;
      const broken = async function* (): AsyncGenerator<Uint8Array> {
        let chunks = 0;
        for await (const chunk of response.body) {
          yield chunk;
          chunks += 1;
          seen.push(run.shown.size);
          if (chunks === 3) throw new Error("connection reset");
        }
      };
      return {
        ...response,
        header: (name) => response.header(name),
        body: broken(),
        close: () => response.close(),
      };
    },
  });
  await until(() => run.source.state.settled === "live");
  expect(seen).toEqual([0, 0, 0]);
  expect([...run.shown.keys()].toSorted()).toEqual(await served());
  expect(run.requests).toEqual(["stream", "stream"]);
  await run.end();
});

test("a 410 of the API server makes it stream anew, and what left meanwhile is gone", async () => {
  let tooOld = false;
  const stops = new Set<AbortController>();
  const run = follow(
    {
      request: (request, signal) => {
        const stop = new AbortController();
        if (request.path.includes("watch=1")) stops.add(stop);
        return transport.request(request, AbortSignal.any([signal, stop.signal]));
      },
    },
    (plain) => ({
      watch: (request, signal) => plain.watch(tooOld ? { ...request, resourceVersion: "1" } : request, signal),
    }),
  );
  await until(() => run.source.state.settled === "live");
  await firstVersionForgotten();
  tooOld = true;
  for (const stop of stops) stop.abort();
  await create("meanwhile");
  await until(() => run.shown.has("meanwhile"));
  expect([...run.shown.keys()].toSorted()).toEqual(await served());
  expect(run.requests).toEqual(["stream", "watch", "stream"]);
  await run.end();
});
