import type { KubeObject } from "@binnacle/kube";

import type { LogTarget } from "../logs-query.ts";
import { followPods, type PodSink } from "../pods/follow-pods.ts";
import { logPodOf, type LogPod } from "../pods/pod-containers.ts";
import type { LogsReader } from "../logs-query.ts";
import type { KubeClientError } from "@binnacle/environment-view/transport";

/** Receives pods, each once however many targets name it. */
export interface ListedPodsOptions {
  readonly reader: LogsReader;
  readonly targets: readonly LogTarget[];
  readonly follow: boolean;
  /** A pod is new or has changed. */
  readonly observed: (pod: LogPod) => void;
  readonly left: (pod: LogPod) => void;
  /** All pods of all targets are known, as far as they can be listed. */
  readonly listed: () => void;
  /** How a target stands: an error while its pods cannot be listed. */
  readonly targetChanged: (target: LogTarget, error: KubeClientError | undefined) => void;
}

/** The pods of several targets. */
export class ListedPods {
  readonly #options: ListedPodsOptions;
  readonly #pods = new Map<string, { readonly pod: LogPod; readonly targets: Set<LogTarget> }>();
  readonly #unlisted: Set<LogTarget>;
  readonly #failed = new Set<LogTarget>();

  constructor(options: ListedPodsOptions) {
    this.#options = options;
    this.#unlisted = new Set(options.targets);
  }

  get(namespace: string, name: string): LogPod | undefined {
    return this.#pods.get(`${namespace}/${name}`)?.pod;
  }

  /** Settles when nothing more comes, which is at the abort when it follows. @throws KubeClientError `unauthorized` */
  async run(signal: AbortSignal): Promise<void> {
    const { targets, reader, follow } = this.#options;
    if (targets.length === 0) this.#options.listed();
    await Promise.all(targets.map((target) => followPods(target, reader, { sink: this.#sinkOf(target), follow, signal })));
  }

  #sinkOf(target: LogTarget): PodSink {
    return {
      listed: (objects) => {
        const pods = objects.map(logPodOf);
        const present = new Set(pods.map(keyOf));
        for (const [key, { pod, targets }] of this.#pods) if (targets.has(target) && !present.has(key)) this.#remove(target, pod);
        for (const pod of pods) this.#observe(target, pod);
        this.#settle(target, undefined);
      },
      changed: (object: KubeObject) => this.#observe(target, logPodOf(object)),
      removed: (object: KubeObject) => this.#remove(target, logPodOf(object)),
      failed: (error) => this.#settle(target, error),
    };
  }

  #settle(target: LogTarget, error: KubeClientError | undefined): void {
    // What was listed stays while the API is unreachable; the sources show that they cannot be read.
    if (error !== undefined && error.status?.code !== 403 && !this.#unlisted.has(target)) return;
    if (error !== undefined || this.#failed.has(target)) this.#options.targetChanged(target, error);
    if (error === undefined) this.#failed.delete(target);
    else this.#failed.add(target);
    if (this.#unlisted.delete(target) && this.#unlisted.size === 0) this.#options.listed();
  }

  #observe(target: LogTarget, pod: LogPod): void {
    const key = keyOf(pod);
    const known = this.#pods.get(key);
    // A StatefulSet makes a pod with the name of the one that was deleted.
    if (known !== undefined && known.pod.uid !== pod.uid) {
      this.#pods.delete(key);
      this.#options.left(known.pod);
    }
    const targets = known?.pod.uid === pod.uid ? known.targets : new Set<LogTarget>();
    this.#pods.set(key, { pod, targets: targets.add(target) });
    this.#options.observed(pod);
  }

  #remove(target: LogTarget, pod: LogPod): void {
    const known = this.#pods.get(keyOf(pod));
    if (known === undefined || known.pod.uid !== pod.uid) return;
    known.targets.delete(target);
    if (known.targets.size > 0) return;
    this.#pods.delete(keyOf(pod));
    // Its containers have ended as its last state shows.
    this.#options.left(pod);
  }
}

function keyOf({ namespace, name }: Pick<LogPod, "namespace" | "name">): string {
  return `${namespace}/${name}`;
}
