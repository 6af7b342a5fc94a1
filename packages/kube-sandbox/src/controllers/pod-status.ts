import type { ApiObject } from "../api-object.ts";
import { listIn, textIn, type Tree } from "../json-tree.ts";
import { withCondition } from "./pod-state.ts";

/** Where a pod stands on its node. */
export type PodStage = "creating" | "run" | "notready" | "imagepull" | "crashloop" | "finish" | "failed";

/** What a status needs besides the pod. */
export interface StatusContext {
  readonly now: string;
  readonly address: string;
  readonly startTime: string;
}

const PHASES: Readonly<Record<PodStage, string>> = {
  creating: "Pending",
  imagepull: "Pending",
  run: "Running",
  notready: "Running",
  crashloop: "Running",
  finish: "Succeeded",
  failed: "Failed",
};

/** The status a kubelet would report for a pod at a stage. Pure. */
export function podStatusFor(pod: ApiObject, stage: PodStage, { now, address, startTime }: StatusContext): Tree {
  const started = stage !== "creating" && stage !== "imagepull";
  const addresses = stage === "creating" ? {} : { podIP: address, podIPs: [{ ip: address }] };
  return {
    phase: PHASES[stage],
    startTime,
    hostIP: "127.0.0.1",
    hostIPs: [{ ip: "127.0.0.1" }],
    ...addresses,
    conditions: conditionsFor(pod, stage, now),
    containerStatuses: listIn(pod, "spec", "containers").map((container) => containerStatus(container, stage, now)),
    ...(listIn(pod, "spec", "initContainers").length > 0
      ? {
          initContainerStatuses: listIn(pod, "spec", "initContainers").map((container) =>
            initStatus(container, started || stage === "imagepull", now),
          ),
        }
      : {}),
  };
}

function conditionsFor(pod: ApiObject, stage: PodStage, now: string): unknown[] {
  const ready = stage === "run";
  const ended = stage === "finish" || stage === "failed";
  const names = listIn(pod, "spec", "containers").map((one) => textIn(one, "name") ?? "");
  const unready = ended
    ? { reason: stage === "finish" ? "PodCompleted" : "PodFailed" }
    : { reason: "ContainersNotReady", message: `containers with unready status: [${names.join(" ")}]` };
  const generation = pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation };
  let conditions = listIn(pod, "status", "conditions").filter((one) => textIn(one, "type") !== undefined);
  const set = (type: string, status: boolean, extra: Tree = {}): void => {
    conditions = withCondition(conditions, { type, status: status ? "True" : "False", ...extra, ...generation, lastProbeTime: null }, now);
  };
  set("PodReadyToStartContainers", stage !== "creating" && !ended);
  set("Initialized", true);
  set("Ready", ready, ready ? {} : unready);
  set("ContainersReady", ready, ready ? {} : unready);
  set("PodScheduled", true);
  return [...conditions];
}

function containerStatus(container: unknown, stage: PodStage, now: string): Tree {
  const image = textIn(container, "image") ?? "";
  const name = textIn(container, "name") ?? "";
  const running = stage === "run" || stage === "notready";
  return {
    name,
    image,
    imageID: running || stage === "finish" ? `sandbox.invalid/${name}` : "",
    ready: stage === "run",
    started: running,
    restartCount: stage === "crashloop" ? 3 : 0,
    state: stateFor(stage, image, now),
    lastState: stage === "crashloop" ? { terminated: { exitCode: 1, reason: "Error", startedAt: now, finishedAt: now } } : {},
  };
}

/** The first status of an ephemeral container. It is never ready and never restarted (Kubernetes, "Ephemeral Containers"). */
export function ephemeralStatus(container: unknown, { isPulled, now }: { readonly isPulled: boolean; readonly now: string }): Tree {
  const image = textIn(container, "image") ?? "";
  return {
    name: textIn(container, "name"),
    image,
    imageID: "",
    ready: false,
    restartCount: 0,
    state: stateFor(isPulled ? "run" : "imagepull", image, now),
    lastState: {},
  };
}

function stateFor(stage: PodStage, image: string, now: string): Tree {
  switch (stage) {
    case "creating":
      return { waiting: { reason: "ContainerCreating" } };
    case "imagepull":
      return {
        waiting: {
          reason: "ImagePullBackOff",
          message: `Back-off pulling image "${image}": ErrImagePull: failed to pull and unpack image "${image}": dial tcp: lookup ${image.split("/")[0]}: no such host`,
        },
      };
    case "crashloop":
      return { waiting: { reason: "CrashLoopBackOff", message: "back-off 40s restarting failed container" } };
    case "run":
    case "notready":
      return { running: { startedAt: now } };
    case "finish":
      return { terminated: { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now } };
    default:
      return { terminated: { exitCode: 1, reason: "Error", startedAt: now, finishedAt: now } };
  }
}

function initStatus(container: unknown, done: boolean, now: string): Tree {
  const common = { name: textIn(container, "name"), image: textIn(container, "image"), imageID: "", restartCount: 0, lastState: {} };
  if (!done) return { ...common, ready: false, started: false, state: { waiting: { reason: "PodInitializing" } } };
  if (textIn(container, "restartPolicy") === "Always")
    return { ...common, ready: true, started: true, state: { running: { startedAt: now } } };
  return {
    ...common,
    ready: true,
    started: false,
    state: { terminated: { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now } },
  };
}
