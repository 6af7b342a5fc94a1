import { fieldsAt, fieldsOf, listAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import { changedAt, isOlderThan, MINUTE_MS } from "../age.ts";
import { conditionOf, conditionsOf, falseCondition, trueCondition, type Condition } from "../condition.ts";
import { containersOf, type ContainerState } from "../container-state.ts";
import { containerWords, isFailingReason, terminationWords, waitingSentence } from "../container-words.ts";
import { isLeftByKubelet, readyLostWithNode } from "../lost-node.ts";
import { staleGeneration } from "../generation.ts";
import { splitWords } from "../generic/split-words.ts";
import { RUN_KINDS } from "../generic/vocabulary/field-words.ts";
import { quotedOr } from "../quoted-or.ts";
import { degraded, healthy, progressing, unknown, type KindRule, type RuleInput, type Verdict } from "../verdict.ts";

/** The rule for Pods. */
export const rule: KindRule = { kinds: ["/Pod"], generation: "own", judge: podHealth };

/** How long an autoscaler may take to add a node. */
const UNSCHEDULABLE_GRACE_MS = 5 * MINUTE_MS;

/** So many gates are named. */
const MAX_GATES = 10;

/** Pod: what the kubelet and the scheduler say. */
export function podHealth(input: RuleInput): Verdict {
  const verdict = podVerdict(input);
  // The status of a pod is written by the kubelet, late: an older generation only takes away a good word.
  return verdict.status === "Healthy" ? (staleGeneration(input, "ignore") ?? verdict) : verdict;
}

function podVerdict(input: RuleInput): Verdict {
  const conditions = conditionsOf(input.status);
  const containers = containersOf(input);
  const restarts = isRestarted(input);
  const phase = textAt(input.status, "phase");
  if (phase === "Succeeded") return healthy("Succeeded", words("pod/succeeded"));
  if (phase === "Failed") return failedPod(input, containers);
  const lost = readyLostWithNode(input.object);
  if (lost !== undefined) return degraded("NodeLost", words("pod/node-not-ready", { node: nodeOf(input) }), changedAt(lost, input));

  const failing = containers.find((container) => isFailingReason(container.waiting?.reason ?? ""));
  if (failing !== undefined && restarts) return failingContainer(failing, conditions, input);
  if (phase === "" || phase === "Pending") return pendingPod(input, conditions, containers);
  if (phase === "Running") return runningPod(input, { conditions, containers, restarts });
  if (phase === "Unknown") return unknown("PodUnknown", quotedOr(textAt(input.status, "message"), "pod/not-reported"));
  return unknown("UnknownPhase", words("health/phase-not-known", { phase }));
}

/** Whether its containers are started again when they end, so that waiting to be started again is a failure. */
function isRestarted(input: RuleInput): boolean {
  const policy = textAt(input.spec, "restartPolicy");
  if (policy === "" || policy === "Always") return true;
  const annotations = fieldsAt(input.metadata, "annotations");
  return annotations["argocd.argoproj.io/ignore-restart-policy"] === "true" && annotations["argocd.argoproj.io/hook"] === undefined;
}

function failingContainer(container: ContainerState, conditions: readonly Condition[], input: RuleInput): Verdict {
  const reason = container.waiting?.reason ?? "";
  return degraded(reason, waitingSentence(container), readyLostAt(conditions, input));
}

function failedPod(input: RuleInput, containers: readonly ContainerState[]): Verdict {
  const target = trueCondition(conditionsOf(input.status), "DisruptionTarget");
  const reason = textAt(input.status, "reason") || (target?.reason ?? "");
  const message = textAt(input.status, "message") || (target?.message ?? "");
  const ended = containers.find((container) => (container.terminated?.exitCode ?? 0) !== 0 || container.terminated?.reason === "OOMKilled");
  const end = ended?.terminated;
  const word = reason || (end?.reason ?? "") || "Failed";
  if (message !== "") return degraded(word, words("pod/failed-saying", { reason, said: quoted(message) }), end?.finishedAt);
  if (ended === undefined || end === undefined) return degraded(word, words("pod/failed"), changedAt(undefined, input));
  const ending = words("container/ended", { container: containerWords(ended), end: terminationWords(end) });
  return degraded(word, ending, end.finishedAt);
}

function nodeOf({ spec }: RuleInput): string {
  return textAt(spec, "nodeName");
}

function pendingPod(input: RuleInput, conditions: readonly Condition[], containers: readonly ContainerState[]): Verdict {
  const unscheduled = falseCondition(conditions, "PodScheduled");
  const since = changedAt(unscheduled, input);
  const gates = gatesOf(input.spec);
  if (gates.length > 0 || unscheduled?.reason === "SchedulingGated") {
    const message = gates.length > 0 ? words("pod/gated-by", { count: gates.length, gates }) : quotedOr(unscheduled?.message, "pod/gated");
    return progressing("SchedulingGated", message, since);
  }
  if (unscheduled?.reason === "Unschedulable" || unscheduled?.reason === "SchedulerError") {
    const detail = quotedOr(unscheduled.message, "pod/unschedulable/silent");
    const message = words("pod/unschedulable", { said: detail });
    const old = isOlderThan(since, UNSCHEDULABLE_GRACE_MS, input.now) === true;
    return old ? degraded(unscheduled.reason, message, since) : progressing(unscheduled.reason, message, since);
  }
  const waiting = firstWaiting(containers);
  if (waiting !== undefined)
    return progressing(waiting.waiting?.reason || "Pending", waitingSentence(waiting), changedAt(undefined, input));
  if (isLeftByKubelet(input.object, input.now)) {
    return progressing(
      "NotTaken",
      words("pod/not-taken", { node: nodeOf(input) }),
      changedAt(conditionOf(conditions, "PodScheduled"), input),
    );
  }
  const message = quotedOr(textAt(input.status, "message"), "pod/not-started");
  return progressing(textAt(input.status, "reason") || "Pending", message, changedAt(undefined, input));
}

/** Scheduling gates of a pod; Kubernetes takes them off one by one, and the scheduler waits for the last. */
function gatesOf(spec: Fields): string[] {
  const gates = listAt(spec, "schedulingGates").slice(0, MAX_GATES);
  return gates.map((gate) => textAt(gate, "name")).filter((name) => name !== "");
}

interface Running {
  readonly conditions: readonly Condition[];
  readonly containers: readonly ContainerState[];
  readonly restarts: boolean;
}

function runningPod(input: RuleInput, { conditions, containers, restarts }: Running): Verdict {
  const ready = conditionOf(conditions, "Ready");
  const since = readyLostAt(conditions, input);
  if (!restarts && !(ready?.status === "true" && isServer(input))) return runningToEnd(containers, since);
  if (ready?.status === "true") return healthy("Ready", words("pod/ready"), ready.changedAt);

  const restarted = containers.find((container) => !container.ready && container.last !== undefined);
  const before = restarted ?? containers.find((container) => container.last !== undefined);
  if (before?.last !== undefined) {
    const message = words("container/restarted", { container: containerWords(before), end: terminationWords(before.last) });
    return degraded(before.last.reason || "Restarted", message, since);
  }
  const waiting = firstWaiting(containers);
  if (waiting !== undefined) return progressing(waiting.waiting?.reason || "NotReady", waitingSentence(waiting), since);
  const detail = ready?.message ?? "";
  const message = detail === "" ? words("pod/not-ready-yet") : words("pod/not-ready", { said: quoted(detail) });
  return progressing("NotReady", message, since);
}

/** Whether a controller owns the pod that is not of a kind that runs to an end: an operator that replaces its pods itself. */
function isServer({ metadata }: RuleInput): boolean {
  const owner = listAt(metadata, "ownerReferences")
    .map(fieldsOf)
    .find(({ controller }) => controller === true);
  if (owner === undefined) return false;
  const noun = splitWords(textAt(owner, "kind")).at(-1) ?? "";
  // The driver of a Spark application ends with it.
  return noun !== "" && noun !== "application" && !RUN_KINDS.has(noun);
}

/** A pod that is meant to end: running is its way, and only its end decides. */
function runningToEnd(containers: readonly ContainerState[], since: string): Verdict {
  const waiting = firstWaiting(containers);
  if (waiting !== undefined) return progressing(waiting.waiting?.reason || "Running", waitingSentence(waiting), since);
  return progressing("Running", words("pod/runs-to-end"), since);
}

/** The waiting container that says most: a failing one, else one that waits for something of its own. */
function firstWaiting(containers: readonly ContainerState[]): ContainerState | undefined {
  const waiting = containers.filter((container) => container.waiting !== undefined);
  return (
    waiting.find((container) => isFailingReason(container.waiting?.reason ?? "")) ??
    waiting.find((container) => container.waiting?.reason !== "PodInitializing") ??
    waiting[0]
  );
}

function readyLostAt(conditions: readonly Condition[], input: RuleInput): string {
  const ready = falseCondition(conditions, "Ready");
  return changedAt(ready, input);
}
