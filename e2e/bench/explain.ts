import { EnvironmentView, type KindListRequest, type KubeClient, type ViewMessage } from "@binnacle/environment-view";
import type { KubeObject, ObjectList, ResourceKind, WatchEvent } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";

import type { Figure } from "./goals.ts";

const BAD_SINCE = "2026-01-01T00:00:00Z";
const WAITING = { reason: "ImagePullBackOff", message: 'Back-off pulling image "shop/web:2"' };

/** Deployments of failing pods, and what of them changes. */
interface TroubledWorld {
  readonly objects: readonly KubeObject[];
  readonly pod: KubeObject;
}

/** Everything fails: each Deployment has its ReplicaSet, its ConfigMap, and pods whose image cannot be pulled. */
function troubledWorld(deployments: number, podsEach: number): TroubledWorld {
  const objects = Array.from({ length: deployments }, (_, index) => troubledApp(`app-${index}`, podsEach)).flat();
  const pod = objects.findLast(({ kind }) => kind === "Pod");
  if (!pod) throw new Error("a world without pods is not troubled");
  return { objects, pod };
}

function troubledApp(name: string, pods: number): KubeObject[] {
  const counts = { replicas: pods, updatedReplicas: pods };
  const deployment = object("apps/v1", "Deployment", { name, uid: name }, { spec: { replicas: pods }, status: counts });
  const set = object("apps/v1", "ReplicaSet", { name: `${name}-1`, ...owned(deployment) }, { spec: { replicas: pods }, status: counts });
  const settings = object("v1", "ConfigMap", { name }, {});
  const status = {
    phase: "Pending",
    conditions: [{ type: "Ready", status: "False", lastTransitionTime: BAD_SINCE }],
    containerStatuses: [{ name: "main", ready: false, restartCount: 0, state: { waiting: WAITING } }],
  };
  const spec = { containers: [{ name: "main", image: "shop/web:2", envFrom: [{ configMapRef: { name } }] }] };
  const own = Array.from({ length: pods }, (_, index) =>
    object("v1", "Pod", { name: `${name}-1-${index}`, ...owned(set) }, { spec, status }),
  );
  return [deployment, set, settings, ...own];
}

function object(...[apiVersion, kind, metadata, rest]: [string, string, KubeObject["metadata"], object]): KubeObject {
  const filled = { namespace: "shop", uid: `${kind}-${metadata.name}`, resourceVersion: "1", creationTimestamp: BAD_SINCE, ...metadata };
  return { apiVersion, kind, metadata: { ...filled, annotations: { "deployment.kubernetes.io/revision": "1" } }, ...rest };
}

function owned({ apiVersion, kind, metadata }: KubeObject) {
  const { name, uid = "" } = metadata;
  return { ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] };
}

function kindOf({ apiVersion, kind }: KubeObject): ResourceKind {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  const resource = `${kind.toLowerCase()}s`;
  return { group, version, kind, resource, namespaced: true, verbs: ["list", "watch"], subresources: ["status"], shortNames: [] };
}

/** An API in memory: what is measured is the view alone. */
function memoryClient({ objects, pod }: TroubledWorld, changes: AsyncIterable<WatchEvent>): KubeClient {
  const kinds = new Map(objects.map((each) => [each.kind, kindOf(each)]));
  const list = ({ kind }: KindListRequest): Promise<ObjectList> =>
    Promise.resolve({
      items: objects.filter((each) => each.kind === kind.kind),
      resourceVersion: "1",
      continueToken: "",
      remaining: undefined,
    });
  return {
    discover: () => Promise.resolve({ kinds: [...kinds.values()] }),
    list,
    get: () => Promise.resolve(pod),
    async *watch({ kind }, signal) {
      if (kind.kind === "Pod") yield* changes;
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    },
  };
}

/** Own CPU time in milliseconds since the process began. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU of the first whole picture, and of each of some changes of one pod after it. */
async function troubleMs(world: TroubledWorld): Promise<{ readonly first: number; readonly change: number }> {
  const stop = new AbortController();
  const { promise: shown, resolve: begin } = Promise.withResolvers<void>();
  const rounds = 5;
  let notified = Promise.withResolvers<void>();
  async function* changes(): AsyncGenerator<WatchEvent> {
    await shown;
    for (let round = 1; round <= rounds; round += 1) {
      const status = { ...Object(world.pod["status"]), message: `round ${round}` };
      const metadata = { ...world.pod.metadata, resourceVersion: String(round + 1), labels: { round: String(round) } };
      notified = Promise.withResolvers();
      yield { type: "MODIFIED", object: { ...world.pod, metadata, status: { ...status, containerStatuses: restarted(round) } } };
      await notified.promise;
    }
    stop.abort();
  }
  const view = new EnvironmentView({ client: memoryClient(world, changes()), scope: { namespaces: ["shop"] }, clock: systemClock });
  const before = cpuMs();
  let first = 0;
  const read = async (): Promise<void> => {
    for await (const message of view.watch(stop.signal)) {
      if (first > 0) notified.resolve();
      else if (isWhole(message)) {
        first = cpuMs() - before;
        begin();
      }
    }
  };
  // A view alone keeps no process alive.
  const alive = setInterval(() => {}, 60_000);
  await Promise.all([view.run(stop.signal), read()]).finally(() => clearInterval(alive));
  return { first, change: (cpuMs() - before - first) / rounds };
}

function isWhole({ complete }: ViewMessage): boolean {
  return complete === true;
}

function restarted(restartCount: number): object[] {
  return [{ name: "main", ready: false, restartCount, state: { waiting: WAITING } }];
}

/** What it costs to show and explain a world where everything fails, in this process alone. */
export async function explainFigures(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const [deployments, podsEach] of [
    [300, 10],
    [1, 3_000],
  ] as const) {
    const world = troubledWorld(deployments, podsEach);
    await troubleMs(world);
    const { first, change } = await troubleMs(world);
    const name = `${deployments} × ${podsEach} failing pods`;
    figures.push(
      { figure: `first picture of ${name} with why-chains, CPU`, value: first, unit: "ms" },
      { figure: `one of ${name} changes, CPU`, value: change, unit: "ms" },
    );
  }
  return figures;
}
