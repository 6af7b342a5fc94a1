import { BENCH_NAMESPACE, BENCH_PODS, benchPod, benchPodStatus } from "./bench-pods.ts";
import { send, type BearerTarget } from "../support/bearer-request.ts";

/** Writes at most this many objects at a time. */
const PARALLEL = 16;

/** Writes an object. @returns it as it is stored */
async function write(target: BearerTarget, method: "POST" | "PUT", { path, object }: { path: string; object: unknown }): Promise<unknown> {
  const answer = await send(target, path, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(object) });
  const text = await answer.body.text();
  // Some clusters make a ServiceAccount by themselves.
  const exists = answer.statusCode === 409 && method === "POST";
  if (answer.statusCode >= 300 && !exists) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

async function create(target: BearerTarget, path: string, object: unknown): Promise<unknown> {
  return write(target, "POST", { path, object });
}

async function runAll(tasks: (() => Promise<unknown>)[]): Promise<void> {
  const worker = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/** Creates objects, some at a time; what exists already stays as it is. */
export async function createAll(
  target: BearerTarget,
  objects: readonly { readonly path: string; readonly object: unknown }[],
): Promise<void> {
  await runAll(
    objects.map(
      ({ path, object }) =>
        () =>
          create(target, path, object),
    ),
  );
}

/** The namespace of the 10,000 pods, in a cluster without controllers. They have the status that a kubelet would have reported. */
export async function fillWithPods(target: BearerTarget): Promise<void> {
  await create(target, "/api/v1/namespaces", { metadata: { name: BENCH_NAMESPACE } });
  const namespace = `/api/v1/namespaces/${BENCH_NAMESPACE}`;
  await create(target, `${namespace}/serviceaccounts`, { metadata: { name: "default" } });
  const tasks = Array.from({ length: BENCH_PODS }, (_, index) => async () => {
    const pod = benchPod(index);
    const stored = await create(target, `${namespace}/pods`, pod);
    // What the API server answers to the creation of an object is that object.
    const object = { ...(stored as object), status: benchPodStatus() };
    await write(target, "PUT", { path: `${namespace}/pods/${pod.metadata.name}/status`, object });
    if ((index + 1) % 2_000 === 0) process.stderr.write(`  ${index + 1} of ${BENCH_PODS} pods created\n`);
  });
  await runAll(tasks);
}

/** A namespace with about `size` resources: a tenth are Deployments of one pod each (three resources), the rest ConfigMaps. */
export async function fillNamespace(target: BearerTarget, namespace: string, size: number): Promise<void> {
  const deployments = Math.floor(size / 10);
  const tasks: (() => Promise<unknown>)[] = [];
  for (let index = 0; index < deployments; index += 1) {
    const name = `app-${index}`;
    const labels = { app: name };
    const spec = {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "app", image: "example.com/app:1" }] } },
    };
    tasks.push(() =>
      create(target, `/apis/apps/v1/namespaces/${namespace}/deployments`, {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name, labels },
        spec,
      }),
    );
  }
  for (let index = deployments * 3; index < size; index += 1) {
    tasks.push(() =>
      create(target, `/api/v1/namespaces/${namespace}/configmaps`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name: `settings-${index}` },
        data: { a: "1" },
      }),
    );
  }
  await runAll(tasks);
}

/** Settles once the namespace has `pods` pods that run. */
export async function waitForPods(target: BearerTarget, namespace: string, pods: number): Promise<void> {
  for (;;) {
    const answer = await send(target, `/api/v1/namespaces/${namespace}/pods?fieldSelector=status.phase%3DRunning`);
    // A PodList of the API server.
    const list = (await answer.body.json()) as { items: unknown[] };
    if (list.items.length >= pods) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
