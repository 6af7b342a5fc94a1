import { fieldsAt, textAt } from "@binnacle/kube";

import { conditionOf, conditionsOf } from "../../condition.ts";
import { containersOf, type ContainerState } from "../../container-state.ts";
import { isFailingReason } from "../../container-words.ts";
import { isLeftByKubelet } from "../../lost-node.ts";
import { containerSpecOf } from "../pod-references.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, causeOf, keyOfNode } from "../root-key.ts";
import { explanationOf } from "../explanation.ts";
import type { World } from "../world.ts";
import { containerFacts } from "./container-facts.ts";
import { containerRoot } from "./container-root.ts";
import { failedPodRoot } from "./failed-pod-root.ts";
import { nodeLostBesideRoot, nodeOfPodRoot } from "./node-root.ts";
import { probeRoot, explainSilentProbe } from "./probe-root.ts";
import { missingOfPodSpec, missingRoot } from "./reference-root.ts";
import { schedulingRoot } from "./scheduling-root.ts";
import { volumeRoot } from "./storage-root.ts";

/** Why a pod is not well: a container, an event, its node, or something that it needs and that is not there. */
export function podRoot(pod: Subject, world: World): Root {
  const containers = containersOf(pod.input);
  const phase = textAt(pod.input.status, "phase");
  if (phase === "Failed") return failedPodRoot(pod, containers, world);
  const failing = containers.find((container) => isFailingReason(container.waiting?.reason ?? ""));
  if (failing !== undefined) return containerRoot(failing, pod, world);
  if (phase === "Unknown") return nodeOfPodRoot(pod, world) ?? lostPodRoot(pod);
  return phase === "Running" ? runningPodRoot(pod, containers, world) : startingPodRoot(pod, containers, world);
}

function lostPodRoot(pod: Subject): Root {
  const explanation = explanationOf("node", "lost", podFacts(pod));
  return blaming(ownRoot(explanation), keyOfNode(textAt(pod.input.spec, "nodeName"), causeOf(explanation)));
}

function startingPodRoot(pod: Subject, containers: readonly ContainerState[], world: World): Root {
  const held = nodeOfPodRoot(pod, world) ?? nodeLostBesideRoot(pod, world) ?? schedulingRoot(pod, world) ?? volumeRoot(pod, world);
  if (held !== null) return held;
  const missing = missingOfPodSpec(pod, world);
  if (missing !== undefined) return missingRoot(missing, pod);
  if (isLeftByKubelet(pod.input.object, world.now)) {
    const explanation = explanationOf("start", "not-taken", podFacts(pod));
    return blaming(ownRoot(explanation), keyOfNode(textAt(pod.input.spec, "nodeName"), causeOf(explanation)));
  }
  const init = containers.find((container) => holdsOthersBack(container) && container.waiting === undefined);
  if (init === undefined || init.terminated !== undefined) return ownRoot(explanationOf("start", "starting", podFacts(pod)));
  return containerRoot(init, pod, world);
}

/** Whether the containers after it wait for it: for the end of an init container, and for the start of a sidecar. */
function holdsOthersBack({ init, sidecar, ready, started }: ContainerState): boolean {
  return sidecar ? !started : init && !ready;
}

function runningPodRoot(pod: Subject, containers: readonly ContainerState[], world: World): Root {
  const lost = nodeOfPodRoot(pod, world);
  if (lost !== null) return lost;
  const restarted = containers.find((container) => !container.ready && hasEndedBadly(container));
  if (restarted !== undefined) return containerRoot(restarted, pod, world);
  for (const container of containers) {
    if (container.ready || container.init) continue;
    const probe = probeRoot(container, pod, { probes: ["startup", "readiness", "liveness"], world });
    if (probe !== null) return probe;
  }
  const before = containers.find((container) => container.last !== undefined);
  if (before !== undefined && pod.status === "Degraded") return containerRoot(before, pod, world);
  return silentPodRoot(pod, containers);
}

/** Whether it was started again, or has just ended with an error; an init container that is done is not meant. */
function hasEndedBadly({ init, terminated, last }: ContainerState): boolean {
  if (terminated !== undefined) return !init && terminated.exitCode !== 0;
  return last !== undefined;
}

/** The reason of the pod's own condition and spec, when no failure was reported. */
function silentPodRoot(pod: Subject, containers: readonly ContainerState[]): Root {
  const ready = conditionOf(conditionsOf(pod.input.status), "Ready");
  const facts = { ...podFacts(pod), said: ready?.message };
  if (textAt(pod.input.spec, "restartPolicy") !== "" && textAt(pod.input.spec, "restartPolicy") !== "Always") {
    return ownRoot(explanationOf("start", "runs-to-end", facts));
  }
  if (ready?.reason === "ReadinessGatesNotReady") return ownRoot(explanationOf("start", "readiness-gate", facts));
  const silent = containers.find((container) => !container.ready && !container.init);
  const explanation = silent === undefined ? null : explainSilentProbe(silent, pod);
  if (explanation !== null) return ownRoot(explanation);
  const row = silent !== undefined && lacksProbe(silent, pod) ? "not-ready-without-probe" : "not-ready";
  return ownRoot(explanationOf("start", row, silent === undefined ? facts : { ...containerFacts(silent, pod), ...facts }));
}

/** Whether the spec of a container is known and has no readiness probe. */
function lacksProbe({ name }: ContainerState, pod: Subject): boolean {
  const spec = containerSpecOf(pod.input.spec, name);
  return Object.keys(spec).length > 0 && Object.keys(fieldsAt(spec, "readinessProbe")).length === 0;
}

function podFacts(pod: Subject) {
  return { reason: pod.reason, pod: pod.ref.name, name: textAt(pod.input.spec, "nodeName"), node: textAt(pod.input.spec, "nodeName") };
}
