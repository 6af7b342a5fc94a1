import type { Clock } from "@binnacle/rpc";

import { Container } from "./containers/container.ts";
import type { FileBudget } from "./containers/file-system.ts";
import { IMAGE_KIND_ANNOTATION, imageKindOf } from "./containers/image.ts";
import type { Pod, PodContainer } from "./pod.ts";
import { badRequest, StreamError } from "./status.ts";

/** Simulated containers that are kept; the one that was used longest ago is dropped, with its files. */
const MAX_CONTAINERS = 200;
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/** The simulated containers by pod, name and restart: a restart begins with the image's files again. */
export class PodContainers {
  readonly #clock: Clock;
  readonly #containers = new Map<string, Container>();
  readonly #budget: FileBudget = { usedBytes: 0, maxBytes: MAX_FILE_BYTES };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(pod: Pod, container: PodContainer): Container {
    const key = `${pod.uid}/${container.name}/${container.restartCount}`;
    const present =
      this.#containers.get(key) ??
      new Container(
        { hostname: pod.name, imageKind: imageKindOf(container.image, pod.annotations[IMAGE_KIND_ANNOTATION]), env: container.env },
        this.#clock,
        this.#budget,
      );
    this.#containers.delete(key);
    this.#containers.set(key, present);
    const [oldest] = this.#containers.keys();
    if (this.#containers.size > MAX_CONTAINERS && oldest !== undefined) {
      this.#containers.get(oldest)?.dispose();
      this.#containers.delete(oldest);
    }
    return present;
  }
}

/**
 * The container that a request names; without a name the only one.
 *
 * @throws StreamError 400 in the API server's words
 */
export function chooseContainer(pod: Pod, name: string | undefined): PodContainer {
  if (name !== undefined && name !== "") {
    const found = pod.containers.find((container) => container.name === name);
    if (found === undefined) throw badRequest(`container ${name} is not valid for pod ${pod.name}`);
    return found;
  }
  const regular = pod.containers.filter((container) => container.kind === "container");
  const [only] = regular;
  if (only !== undefined && regular.length === 1) return only;
  const names = regular.map((container) => container.name).join(" ");
  throw badRequest(`a container name must be specified for pod ${pod.name}, choose one of: [${names}]`);
}

/** @throws StreamError when no process of the container runs */
export function requireRunning(pod: Pod, container: PodContainer): void {
  if (pod.phase === "Succeeded" || pod.phase === "Failed") {
    throw badRequest(`cannot exec into a container in a completed pod; current phase is ${pod.phase}`);
  }
  if (container.state.kind !== "running") throw new StreamError(500, "InternalError", `container not found ("${container.name}")`);
}
