import { send, type BearerTarget } from "../support/bearer-request.ts";

/** Creates at most this many objects at a time. */
const PARALLEL = 16;

async function create(target: BearerTarget, path: string, object: unknown): Promise<void> {
  const answer = await send(target, path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(object),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`);
}

/** A namespace with about `size` resources: a tenth are Deployments of one pod each (three resources), the rest ConfigMaps. */
export async function fillNamespace(target: BearerTarget, namespace: string, size: number): Promise<void> {
  const deployments = Math.floor(size / 10);
  const tasks: (() => Promise<void>)[] = [];
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
  const worker = async (): Promise<void> => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) await task();
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
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
