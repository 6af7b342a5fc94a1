import { sleep, systemClock } from "@binnacle/rpc";

import { send, type BearerTarget } from "./bearer-request.ts";

/** A Deployment that is changed again and again, with a condition and an event for each change. */
export interface Rollout {
  /** When change `n` stood in the cluster whole, milliseconds since the epoch; index 0 is the first. */
  readonly writtenMs: readonly number[];
  /** Makes the changes, evenly over the time or as fast as the cluster takes them. */
  run(changes: number, overMs: number): Promise<void>;
  /** Takes the Deployment and its event away; they may be gone. */
  remove(): Promise<void>;
}

/** Where a rollout takes place. */
export interface RolloutPlace {
  /** The cluster itself, with every right. */
  readonly target: BearerTarget;
  readonly namespace: string;
  readonly name: string;
}

const LABELS = { app: "rollout" };

/** What the Deployment wants after change `n`. The numbers differ from change to change, so that none is taken for another. */
export function wantedAfter(n: number): { readonly image: string; readonly replicas: number } {
  return { image: `registry.example.com/rollout:${n}`, replicas: 1 + (n % 3) };
}

/** Makes the Deployment and its event, as after a change 0. */
export async function openRollout({ target, namespace, name }: RolloutPlace): Promise<Rollout> {
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  const events = `/api/v1/namespaces/${namespace}/events`;
  const made = await call("POST", deployments, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, annotations: { "example.com/change": "yaml-c0c" } },
    spec: {
      replicas: wantedAfter(0).replicas,
      selector: { matchLabels: LABELS },
      template: { metadata: { labels: LABELS }, spec: { containers: [{ name: "app", image: wantedAfter(0).image }] } },
    },
  });
  await call("PATCH", `${deployments}/${name}/status`, statusOf(0));
  const involvedObject = { apiVersion: "apps/v1", kind: "Deployment", namespace, name, uid: made.metadata.uid };
  await call("POST", events, { apiVersion: "v1", kind: "Event", metadata: { name }, involvedObject, type: "Normal", ...eventOf(0) });
  const writtenMs: number[] = [];

  async function change(n: number): Promise<void> {
    const { image, replicas } = wantedAfter(n);
    const metadata = { annotations: { "example.com/change": `yaml-c${n}c` } };
    const template = { spec: { containers: [{ name: "app", image }] } };
    await call("PATCH", `${deployments}/${name}`, { metadata, spec: { replicas, template } });
    await call("PATCH", `${deployments}/${name}/status`, statusOf(n));
    await call("PATCH", `${events}/${name}`, eventOf(n));
    writtenMs.push(Date.now());
  }

  /** @returns the object as it is then @throws with the answer when it is a refusal */
  async function call(method: string, path: string, body?: object): Promise<{ readonly metadata: { readonly uid: string } }> {
    const patch = "application/strategic-merge-patch+json";
    const headers = { "content-type": method === "PATCH" ? patch : "application/json" };
    const answer = await send(target, path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await answer.body.text();
    const isGone = method === "DELETE" && answer.statusCode === 404;
    if (answer.statusCode >= 300 && !isGone) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    // Every answer that is no refusal is an object.
    return JSON.parse(text) as { metadata: { uid: string } };
  }

  return {
    writtenMs,
    run: async (changes, overMs) => {
      const beganMs = Date.now();
      for (let n = 1; n <= changes; n += 1) {
        await change(n);
        await sleep(systemClock, Math.max(0, beganMs + (n * overMs) / changes - Date.now()));
      }
    },
    remove: async () => {
      await call("DELETE", `${deployments}/${name}`);
      await call("DELETE", `${events}/${name}`);
    },
  };
}

function statusOf(n: number): object {
  const condition = { type: "example.com/Change", status: "True", reason: `condition-c${n}c`, lastTransitionTime: timestamp() };
  return { status: { conditions: [condition] } };
}

function eventOf(n: number): object {
  const message = `event-c${n}c`;
  return n === 0
    ? { reason: "Changed", message, count: 1, firstTimestamp: timestamp(), lastTimestamp: timestamp() }
    : { message, count: n + 1, lastTimestamp: timestamp() };
}

/** Of now, as Kubernetes writes it. */
function timestamp(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, "Z");
}
