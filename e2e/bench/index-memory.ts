import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

import { ByteBudget, RequestPace, SampledSummaries, type KubeClient } from "@binnacle/environment-view";
import type { KubeObject, ResourceKind } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";

import type { Figure } from "./goals.ts";
import { namespaceObjects } from "./view-model.ts";

const NAMESPACES = 1_000;
const REQUESTS_PER_SECOND = 10_000;
const BUDGET_BYTES = 256 * 1024 * 1024;

/** What the index keeps of each namespace between two looks, in this process alone; its cluster is in memory too, but not counted. */
export async function indexMemoryFigures(): Promise<readonly Figure[]> {
  const names = Array.from({ length: NAMESPACES }, (_, index) => `team-${index}`);
  const objects = names.flatMap(namespaceObjects);
  const client = memoryClient(objects);
  // What the engine has compiled, and tables that grow once, belong to no namespace.
  await (
    await look(client, names.slice(0, 10))
  )();
  const before = await heldBytes();
  const cpuBefore = process.cpuUsage();
  const end = await look(client, names);
  const { user, system } = process.cpuUsage(cpuBefore);
  const held = (await heldBytes()) - before;
  await end();
  return [
    {
      figure: `index of ${NAMESPACES} namespaces, ${objects.length} objects: held for each`,
      value: held / NAMESPACES / 1_024,
      unit: "KiB",
    },
    { figure: "CPU of one look at all of them", value: (user + system) / 1_000, unit: "ms" },
    { figure: "JSON of the objects of one", value: JSON.stringify(objects).length / NAMESPACES / 1_024, unit: "KiB" },
  ];
}

/** Looks at namespaces until all are known. @returns ends it */
async function look(client: KubeClient, names: readonly string[]): Promise<() => Promise<void>> {
  const pace = new RequestPace(systemClock, REQUESTS_PER_SECOND);
  const source = new SampledSummaries({ client, clock: systemClock, pace, budget: new ByteBudget(BUDGET_BYTES) });
  const stop = new AbortController();
  const ended = source.run(stop.signal);
  const known = new Set<string>();
  // Clocks alone keep no process alive.
  const alive = setInterval(() => {}, 60_000);
  await new Promise<void>((resolve) => {
    const subscription = source.open({ scopes: names.map((name) => ({ namespaces: [name] })) }, () => {
      for (const summary of subscription.take()?.summaries ?? []) if (summary.known) known.add(String(summary.scope.namespaces));
      if (known.size === names.length) resolve();
    });
  });
  return async () => {
    clearInterval(alive);
    stop.abort();
    await ended;
  };
}

/** Bytes on the heap and beside it after garbage collection. */
async function heldBytes(): Promise<number> {
  setFlagsFromString("--expose-gc");
  // The flag makes it, in contexts that begin later.
  const collect = runInNewContext("gc") as () => void;
  for (let turn = 0; turn < 4; turn += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** An API in memory that pages as a real one does. */
function memoryClient(objects: readonly KubeObject[]): KubeClient {
  const kinds = new Map(objects.map((object) => [object.kind, kindOf(object)]));
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  return {
    discover: () => Promise.resolve({ kinds: [...kinds.values()] }),
    list: ({ kind, namespace, limit, continueToken = "0" }) => {
      const all = (byKind.get(kind.kind) ?? []).filter(({ metadata }) => namespace === "" || metadata.namespace === namespace);
      const begin = Number(continueToken);
      const items = all.slice(begin, begin + limit);
      const left = all.length - begin - items.length;
      const more = left > 0 ? { continueToken: String(begin + limit), remaining: left } : { continueToken: "", remaining: undefined };
      return Promise.resolve({ items: structuredClone(items), resourceVersion: "1", ...more });
    },
    get: () => Promise.reject(new Error("no object is opened")),
    watch: () => {
      throw new Error("the index watches nothing");
    },
  };
}

function kindOf({ apiVersion, kind }: KubeObject): ResourceKind {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  const resource = `${kind.toLowerCase()}s`;
  return { group, version, kind, resource, namespaced: true, verbs: ["list", "watch"], subresources: ["status"], shortNames: [] };
}
