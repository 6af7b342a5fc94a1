import { fieldsAt, listAt, textAt, textOf, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { conditionsOf, falseCondition } from "../../condition.ts";
import { besideCondition } from "../episodes.ts";
import { podReferencesOf } from "../pod-references.ts";
import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, keyOfService } from "../root-key.ts";
import { say } from "../say.ts";
import { relatedNamed, warningOf, type World } from "../world.ts";
import { namedRoot } from "./reference-root.ts";
import { requestsOf } from "./requests.ts";
import { arithmeticOf, type Arithmetic } from "./scheduler-arithmetic.ts";

/** So many gates, and so many labels, are named. */
const MOST_NAMED = 10;

const FAILED_SCHEDULING = new Set(["FailedScheduling"]);

/** Why no node takes a pod; `null` when it has a node, or the scheduler has not looked yet. */
export function schedulingRoot(pod: Subject, world: World): Root | null {
  if (textAt(pod.input.spec, "nodeName") !== "") return null;
  const condition = falseCondition(conditionsOf(pod.input.status), "PodScheduled");
  const event = warningOf(pod.ref, FAILED_SCHEDULING, world);
  if (condition?.reason === "SchedulingGated") {
    const gates = listAt(pod.input.spec, "schedulingGates").slice(0, MOST_NAMED);
    const names = gates.map((gate) => textAt(gate, "name")).filter((name) => name !== "");
    const facts = { pod: pod.ref.name, gates: names.length === 0 ? undefined : names, said: names.length === 0 ? condition.message : "" };
    return ownRoot(say("scheduling", "gated", facts), [condition.changedAt]);
  }
  const message = condition?.message || event?.message || "";
  if (condition?.reason !== "Unschedulable" && condition?.reason !== "SchedulerError" && event === undefined) return null;

  const named = namedRoot(message, pod);
  if (named !== null) return named;
  const arithmetic = arithmeticOf(message);
  const { row, sum } = arithmetic;
  const claims = row === "unbound-claim" ? unboundClaims(pod, world) : [];
  const [claim] = claims;
  const below = claim === undefined ? null : world.follow(claim, world);
  if (below !== null) return below;

  const labels = nobodysLabels(arithmetic, pod.input.spec);
  const said = say("scheduling", labels === undefined ? row : "labels", {
    pod: pod.ref.name,
    labels,
    requests: requestsOf(pod.input.spec),
    arithmetic: sum,
    claims: claimWords(pod),
  });
  const at = condition?.changedAt ?? "";
  const root = event === undefined ? ownRoot(said, [at]) : eventRoot(besideCondition(event, at), said, pod);
  return blaming(root, row === "no-nodes" ? keyOfService("scheduler", row) : undefined);
}

/** The labels that a pod selects nodes by, when the scheduler says of every node that it does not match: for them, or for nodeAffinity. */
function nobodysLabels({ isByLabels }: Arithmetic, spec: Fields): string[] | undefined {
  const selector = Object.entries(fieldsAt(spec, "nodeSelector")).slice(0, MOST_NAMED);
  const labels = selector.map(([label, value]) => `${label}=${textOf(value)}`).sort();
  return isByLabels && labels.length > 0 ? labels : undefined;
}

/** Claims of the pod that are known and not bound. */
function unboundClaims(pod: Subject, world: World): Fields[] {
  return claimNames(pod)
    .sort()
    .flatMap<Fields>((name) => relatedNamed({ group: "", kind: "PersistentVolumeClaim", namespace: pod.ref.namespace, name }, world) ?? [])
    .filter((claim) => textAt(fieldsAt(claim, "status"), "phase") !== "Bound");
}

function claimNames(pod: Subject): string[] {
  const names = podReferencesOf(pod.input.spec).flatMap(({ kind, name }) => (kind === "PersistentVolumeClaim" ? [name] : []));
  return [...new Set(names)];
}

function claimWords(pod: Subject): Words {
  const names = claimNames(pod);
  return names.length === 0 ? words("scheduling/its-claim") : words("scheduling/claim", { names });
}
