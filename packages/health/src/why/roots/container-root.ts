import { MINUTE_MS, timeOf } from "../../age.ts";
import type { ContainerState } from "../../container-state.ts";
import { waitingSentence } from "../../container-words.ts";
import { besideCondition } from "../episodes.ts";
import type { Root, Subject } from "../root.ts";
import { blaming } from "../root-key.ts";
import { explanationOf, type Explanation } from "../explanation.ts";
import type { Row } from "../rows.ts";
import { eventsAbout, type World } from "../world.ts";
import { containerFacts, containerLink } from "./container-facts.ts";
import { explainCrash } from "./crash-root.ts";
import { isImageReason, keyOfPull, pullSecretRoot, explainImage } from "./image-root.ts";
import { probeRoot } from "./probe-root.ts";
import { missingOfPodSpec, missingRoot, namedRoot } from "./reference-root.ts";

/** Events by which the kubelet tells of a container that does not run. */
const CONTAINER_EVENTS = new Set(["BackOff", "Failed", "InspectFailed", "ErrImageNeverPull"]);

/** How a container ended that the runtime could not start. */
const START_FAILURES = new Set(["StartError", "ContainerCannotRun"]);

/** After a run of this length the kubelet begins its back-off anew. */
const LONG_RUN_MS = 10 * MINUTE_MS;

/** Why a container does not run or is not ready. */
export function containerRoot(container: ContainerState, pod: Subject, world: World): Root {
  const at = eventsAbout(pod.ref, world)
    .filter((event) => CONTAINER_EVENTS.has(event.reason) && (event.container === "" || event.container === container.name))
    .map((event) => besideCondition(event, lastGoodAt(container)).beganAt);
  const below = belowContainer(container, pod, world);
  if (below !== null) {
    const reason = container.waiting?.reason || container.last?.reason || pod.reason;
    const link = containerLink(container, pod, { reason, message: waitingSentence(container) });
    return { ...below, links: [link, ...below.links], at: [...at, ...below.at] };
  }
  const explanation = explainContainer(container, pod, world);
  const root: Root = { links: [containerLink(container, pod, explanation)], explanation, at };
  return isImageReason(container.waiting?.reason ?? "") ? blaming(root, keyOfPull(container, pod, explanation)) : root;
}

/** Until when it was certainly well; empty = not known: a container that cannot pull its image had one before, and a long run ends a crash loop. */
function lastGoodAt({ waiting, last }: ContainerState): string {
  if (last === undefined) return "";
  const isLongRun = timeOf(last.finishedAt) - timeOf(last.startedAt) >= LONG_RUN_MS;
  return isLongRun || isImageReason(waiting?.reason ?? "") ? last.finishedAt : "";
}

/** What lies below the container: a probe that killed it, or something that it needs and that is not there. */
function belowContainer(container: ContainerState, pod: Subject, world: World): Root | null {
  const reason = container.waiting?.reason ?? "";
  if (isCrash(container)) {
    const killed = container.last?.reason === "OOMKilled" ? undefined : container.last?.exitCode;
    // Killed by a signal: the kubelet does that when a probe fails.
    return killed === 137 || killed === 143 ? probeRoot(container, pod, { probes: ["liveness", "startup"], world }) : null;
  }
  if (isImageReason(reason)) return pullSecretRoot(container, pod, world);
  const named = namedRoot(container.waiting?.message ?? "", pod, world);
  if (named !== null || reason !== "CreateContainerConfigError") return named;
  const missing = missingOfPodSpec(pod, world);
  return missing === undefined ? null : missingRoot(missing, pod);
}

function explainContainer(container: ContainerState, pod: Subject, world: World): Explanation {
  const { reason, message: waits } = container.waiting ?? { reason: "", message: "" };
  const end = container.terminated ?? container.last;
  // A crash loop only reports its delay; the last termination has the reason of the failed start.
  const message = reason === "CrashLoopBackOff" || neverStarted(container) ? (end?.message ?? waits) : waits;
  if (isImageReason(reason)) return explainImage(container, pod, world);
  if (isCrash(container)) return explainCrash(container, pod, reason || end?.reason || pod.reason);
  const facts = {
    ...containerFacts(container, pod),
    reason: reason || (neverStarted(container) ? end?.reason : "") || pod.reason,
    said: runtimeCause(message),
  };
  return explanationOf("start", startRow(container, reason, message), facts);
}

/** Whether it ended, and that is what is wrong with it; else it could not even be started. */
function isCrash(container: ContainerState): boolean {
  const reason = container.waiting?.reason ?? "";
  if (neverStarted(container)) return false;
  return reason === "CrashLoopBackOff" || (reason === "" && (container.last !== undefined || container.terminated !== undefined));
}

/** Whether its last run ended before its program began. */
function neverStarted({ waiting, terminated, last }: ContainerState): boolean {
  const reason = waiting?.reason ?? "";
  return (reason === "" || reason === "CrashLoopBackOff") && START_FAILURES.has((terminated ?? last)?.reason ?? "");
}

/**
 * What the container runtime says without the names of the programs that passed it on: those may be longer than a sentence may be, and the
 * cause stands at the end.
 */
function runtimeCause(message: string): string {
  const passedOn = /^.*\b(?:unable to start container process|failed to create shim task|failed to create containerd task): /s;
  return message.replace(passedOn, "") || message;
}

function startRow(container: ContainerState, reason: string, message: string): Row<"start"> {
  const failed = neverStarted(container);
  if (!failed && (reason === "" || reason === "PodInitializing")) return container.sidecar ? "sidecar-starting" : "init-running";
  if (/runAsNonRoot|run as root|non-numeric user/i.test(message)) return "runs-as-root";
  if (/executable file not found|no such file or directory|exec: "/i.test(message)) return "command-missing";
  if (reason === "CreateContainerConfigError") return "config";
  if (reason.endsWith("HookError")) return "hook";
  return /^(?:CreateContainer|RunContainer)Error$|^CrashLoopBackOff$/.test(reason) || failed ? "create" : "waiting";
}
