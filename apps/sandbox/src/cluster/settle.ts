import { Backoff, sleep, systemClock } from "@binnacle/rpc";

import type { KubeHttp } from "./kube-http.ts";

/** Which namespace to wait for, and how long. */
export interface SettleOptions {
  readonly namespace: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Paths below a namespace, with what makes an object ready there. */
const READINESS: readonly { readonly path: string; readonly isReady: (spec: Fields, status: Fields) => boolean }[] = [
  {
    path: "/apis/apps/v1/namespaces/NS/deployments",
    isReady: (spec, status) => count(status["availableReplicas"]) >= count(spec["replicas"], 1),
  },
  {
    path: "/apis/apps/v1/namespaces/NS/statefulsets",
    isReady: (spec, status) => count(status["readyReplicas"]) >= count(spec["replicas"], 1),
  },
  {
    path: "/apis/apps/v1/namespaces/NS/daemonsets",
    isReady: (_spec, status) =>
      count(status["observedGeneration"]) > 0 && count(status["numberReady"]) >= count(status["desiredNumberScheduled"]),
  },
  { path: "/apis/batch/v1/namespaces/NS/jobs", isReady: (_spec, status) => count(status["succeeded"]) > 0 },
  { path: "/api/v1/namespaces/NS/persistentvolumeclaims", isReady: (_spec, status) => status["phase"] === "Bound" },
];

type Fields = Readonly<Record<string, unknown>>;

/**
 * Waits until every workload and claim of a namespace is ready.
 *
 * @returns names of what was not ready when the time was over; empty when all is well
 */
export async function settle(http: KubeHttp, options: SettleOptions): Promise<readonly string[]> {
  const backoff = new Backoff({ initialMs: 200, maxMs: 1_000 });
  const deadline = systemClock.now() + options.timeoutMs;
  for (;;) {
    const waiting = await notReady(http, options.namespace);
    options.signal.throwIfAborted();
    if (waiting.length === 0 || systemClock.now() > deadline) return waiting;
    await sleep(systemClock, backoff.nextMs(), options.signal);
  }
}

async function notReady(http: KubeHttp, namespace: string): Promise<readonly string[]> {
  const lists = await Promise.all(
    READINESS.map(async ({ path, isReady }) => {
      const reply = await http.send({ method: "GET", path: path.replace("NS", namespace) });
      const items = fieldsOf(reply.body)["items"];
      return (Array.isArray(items) ? items : []).flatMap((item: unknown) => {
        const { metadata, spec, status } = fieldsOf(item);
        return isReady(fieldsOf(spec), fieldsOf(status)) ? [] : [`${path.split("/").at(-1)}/${String(fieldsOf(metadata)["name"])}`];
      });
    }),
  );
  return lists.flat();
}

function fieldsOf(value: unknown): Fields {
  // A JSON object: every key may be read, whatever it holds is unknown.
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function count(value: unknown, otherwise = 0): number {
  return typeof value === "number" ? value : otherwise;
}
