import { textAt } from "@binnacle/kube";

import { conditionsOf, trueCondition } from "../../condition.ts";
import type { ContainerState } from "../../container-state.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { say } from "../say.ts";
import type { Row } from "../words/families.ts";
import { warningOf, type World } from "../world.ts";
import { containerLink } from "./container-facts.ts";
import { sayCrash } from "./crash-root.ts";

/** What the pod's own reason, or the reason of its DisruptionTarget, says. */
const LIFECYCLE_ROWS: Readonly<Record<string, Row<"lifecycle">>> = {
  Evicted: "evicted",
  EvictionByEvictionAPI: "evicted",
  DeletionByTaintManager: "evicted",
  TerminationByKubelet: "evicted",
  Preempting: "preempted",
  Preempted: "preempted",
  PreemptionByScheduler: "preempted",
  NodeShutdown: "shutdown",
  Terminated: "shutdown",
  Shutdown: "shutdown",
};

/** The kubelet did not take the pod at all. */
const REJECTED = /^(?:OutOf\w+|NodeAffinity|UnexpectedAdmissionError|NodeName|NodePorts|SysctlForbidden|\w+EvictionThreshold)$/;

const EVICTIONS = new Set(["Evicted", "TaintManagerEviction", "Preempted"]);

/** Why a pod has failed for good. */
export function failedPodRoot(pod: Subject, containers: readonly ContainerState[], world: World): Root {
  const target = trueCondition(conditionsOf(pod.input.status), "DisruptionTarget");
  const reason = textAt(pod.input.status, "reason");
  const event = reason === "" && target === undefined ? warningOf(pod.ref, EVICTIONS, world) : undefined;
  const word = reason || (target?.reason ?? "") || (event?.reason ?? "");
  const facts = {
    reason: word || pod.reason,
    pod: pod.ref.name,
    node: textAt(pod.input.spec, "nodeName"),
    said: textAt(pod.input.status, "message") || (target?.message ?? "") || (event?.message ?? ""),
  };
  const at = [target?.changedAt ?? "", event?.firstAt ?? ""];
  const row = LIFECYCLE_ROWS[word];
  if (row !== undefined) return ownRoot(say("lifecycle", row, facts), at);
  if (REJECTED.test(word)) return ownRoot(say("start", "rejected", facts), at);
  const ended = containers.find(
    ({ terminated }) => terminated !== undefined && (terminated.exitCode !== 0 || terminated.reason === "OOMKilled"),
  );
  if (ended === undefined || word === "DeadlineExceeded") return ownRoot(say("start", "failed", facts), at);
  const said = sayCrash(ended, pod, ended.terminated?.reason || "Failed");
  return { links: [containerLink(ended, pod, said)], said, at };
}
