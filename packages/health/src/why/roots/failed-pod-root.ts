import { textAt } from "@binnacle/kube";

import { conditionsOf, falseCondition, trueCondition } from "../../condition.ts";
import type { ContainerState } from "../../container-state.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, causeOf, keyOfNode } from "../root-key.ts";
import { explanationOf } from "../explanation.ts";
import type { Row } from "../rows.ts";
import { eventsAbout, type World } from "../world.ts";
import { containerLink } from "./container-facts.ts";
import { explainCrash } from "./crash-root.ts";

/** What the pod's own reason, or the reason of its DisruptionTarget, says. */
const LIFECYCLE_ROWS: ReadonlyMap<string, Row<"lifecycle">> = new Map<string, Row<"lifecycle">>(
  Object.entries({
    Evicted: "evicted",
    EvictionByEvictionAPI: "evicted",
    DeletionByTaintManager: "evicted",
    TaintManagerEviction: "evicted",
    TerminationByKubelet: "evicted",
    Preempting: "preempted",
    Preempted: "preempted",
    PreemptionByScheduler: "preempted",
    NodeShutdown: "shutdown",
    Terminated: "shutdown",
    Shutdown: "shutdown",
  }),
);

/** The kubelet did not take the pod at all. */
const REJECTED = /^(?:OutOf\w+|NodeAffinity|UnexpectedAdmissionError|NodeName|NodePorts|SysctlForbidden|\w+EvictionThreshold)$/;

const SHORT_OF = /^The node was low on resource: ([\w.-]+[\w])/;

const EVICTIONS = new Set(["Evicted", "TaintManagerEviction", "Preempted"]);

/** Why a pod has failed for good. */
export function failedPodRoot(pod: Subject, containers: readonly ContainerState[], world: World): Root {
  const conditions = conditionsOf(pod.input.status);
  const target = trueCondition(conditions, "DisruptionTarget");
  const reason = textAt(pod.input.status, "reason");
  const event =
    reason === "" && target === undefined ? eventsAbout(pod.ref, world).find(({ reason: word }) => EVICTIONS.has(word)) : undefined;
  const word = reason || (target?.reason ?? "") || (event?.reason ?? "");
  const facts = {
    reason: word || pod.reason,
    pod: pod.ref.name,
    node: textAt(pod.input.spec, "nodeName"),
    said: textAt(pod.input.status, "message") || (target?.message ?? "") || (event?.message ?? ""),
  };
  const unready = falseCondition(conditions, "Ready");
  const at = [target?.changedAt ?? "", event?.beganAt ?? "", unready?.changedAt ?? ""];
  const row = LIFECYCLE_ROWS.get(word);
  if (row !== undefined) {
    const explanation = explanationOf("lifecycle", row, facts);
    // The kubelet names the resource that the node ran out of, which is one cause for all pods that it evicted.
    const short = row === "evicted" ? SHORT_OF.exec(facts.said)?.[1] : undefined;
    return blaming(ownRoot(explanation, at), short === undefined ? undefined : keyOfNode(facts.node, `${causeOf(explanation)}/${short}`));
  }
  // Refused by the kubelet at once: it has failed since there is such a pod.
  if (REJECTED.test(word))
    return ownRoot(explanationOf("start", "rejected", facts), [...at, textAt(pod.input.metadata, "creationTimestamp")]);
  const ended = containers.find(
    ({ terminated }) => terminated !== undefined && (terminated.exitCode !== 0 || terminated.reason === "OOMKilled"),
  );
  if (ended === undefined || word === "DeadlineExceeded") return ownRoot(explanationOf("start", "failed", facts), at);
  const explanation = explainCrash(ended, pod, ended.terminated?.reason || "Failed");
  return { links: [containerLink(ended, pod, explanation)], explanation, at };
}
