import { fieldsAt, isFields, listAt, numberAt, textAt, type KubeObject } from "@binnacle/kube";
import { LogContainerKind } from "@binnacle/proto/dashboard-logs";

import { LogTimes } from "../lines/log-time.ts";

/** One run of a container: from a start to its end. */
export interface ContainerInstance {
  /** Id of the container runtime; in clusters without one (simulated nodes) made of pod, container and restarts. */
  readonly id: string;
  readonly restarts: number;
  readonly hasTerminated: boolean;
  /** To the second. */
  readonly startedNanos: bigint | undefined;
}

/** A container of a pod. */
export interface PodContainer {
  readonly name: string;
  readonly kind: LogContainerKind;
  /** The instance that is read without `previous`; absent before the first start. */
  readonly present: ContainerInstance | undefined;
  /** The instance that is read with `previous`. */
  readonly previous: ContainerInstance | undefined;
}

/** A pod as far as its logs need it. */
export interface LogPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly containers: readonly PodContainer[];
}

/** More than any pod has. */
const MAX_CONTAINERS = 200;
const PARTS = [
  ["initContainers", "initContainerStatuses", LogContainerKind.INIT],
  ["containers", "containerStatuses", LogContainerKind.UNSPECIFIED],
  ["ephemeralContainers", "ephemeralContainerStatuses", LogContainerKind.EPHEMERAL],
] as const;

/** Reads a pod; fields of other types than the API's count as absent. */
export function logPodOf({ metadata, ...pod }: KubeObject): LogPod {
  const { namespace = "", name, uid = "" } = metadata;
  const [spec, status] = [pod["spec"], pod["status"]];
  const containers = PARTS.flatMap(([inSpec, inStatus, kind]) =>
    listAt(spec, inSpec)
      .slice(0, MAX_CONTAINERS)
      .map((container): PodContainer => {
        const containerName = textAt(container, "name");
        const shown = listAt(status, inStatus).find((one) => textAt(one, "name") === containerName);
        const isSidecar = kind === LogContainerKind.INIT && textAt(container, "restartPolicy") === "Always";
        return {
          name: containerName,
          kind: isSidecar ? LogContainerKind.SIDECAR : kind,
          ...instancesOf(shown, (restarts) => `${uid}/${containerName}/${restarts}`),
        };
      }),
  );
  return { namespace, name, uid, containers: containers.filter(({ name: of }) => of !== "") };
}

/** As the kubelet chooses: the one that runs or has run; while the next start is waited for the last one, with `previous` that in any case. */
function instancesOf(status: unknown, idOf: (restarts: number) => string): Pick<PodContainer, "present" | "previous"> {
  const counted = numberAt(status, "restartCount") ?? 0;
  const restarts = Number.isSafeInteger(counted) && counted >= 0 ? Math.min(counted, 0xffff_ffff) : 0;
  const [state, last] = [fieldsAt(status, "state"), fieldsAt(status, "lastState")];
  const previous = isFields(last["terminated"]) ? terminated(last["terminated"], Math.max(0, restarts - 1), idOf) : undefined;
  if (isFields(state["running"])) {
    const id = textAt(status, "containerID") || idOf(restarts);
    return { present: { id, restarts, hasTerminated: false, startedNanos: timeAt(state["running"], "startedAt") }, previous };
  }
  if (isFields(state["terminated"])) {
    const of = terminated(state["terminated"], restarts, (count) => textAt(status, "containerID") || idOf(count));
    return { present: of, previous };
  }
  return { present: previous, previous };
}

function terminated(state: unknown, restarts: number, idOf: (restarts: number) => string): ContainerInstance {
  return {
    id: textAt(state, "containerID") || idOf(restarts),
    restarts,
    hasTerminated: true,
    startedNanos: timeAt(state, "startedAt"),
  };
}

function timeAt(parent: unknown, name: string): bigint | undefined {
  return new LogTimes().parse(textAt(parent, name));
}
