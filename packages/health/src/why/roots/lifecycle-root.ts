import { listAt, textAt, textOf } from "@binnacle/kube";

import { timeOf } from "../../age.ts";
import { conditionsOf } from "../../condition.ts";
import { isCustomGroup } from "../../kubernetes-groups.ts";
import { shownTime } from "../../shown-time.ts";
import { ownRoot, type Root, type Subject } from "../root.ts";
import { explanationOf } from "../explanation.ts";
import type { World } from "../world.ts";
import { nodeOfPodRoot } from "./node-root.ts";

/** Reasons of any kind that come before its own: it is being deleted, was not observed, or is paused. */
export function lifecycleRoot(subject: Subject, world: World): Root | null {
  const { input, ref, reason, message, status } = subject;
  const facts = { kind: ref.kind, name: ref.name, namespace: ref.namespace, reason, said: message };
  if (reason === "Terminating") return (isPod(subject) ? nodeOfPodRoot(subject, world) : null) ?? terminatingRoot(subject, world);
  if (reason === "NotObserved") return ownRoot(explanationOf("lifecycle", "not-observed", facts));
  if (status === "Suspended" && input.kind !== "Node") {
    // Most built-in kinds only repeat it; a custom resource names the field or the condition.
    const saysMore = isCustomGroup(input.group) || message.id === "deployment/paused-halfway";
    return ownRoot(explanationOf("lifecycle", "suspended", { ...facts, said: saysMore ? message : "" }));
  }
  return null;
}

function isPod({ ref }: Subject): boolean {
  return ref.kind === "Pod" && ref.group === "";
}

function terminatingRoot(subject: Subject, { late, now }: Pick<World, "late" | "now">): Root {
  const { input, ref } = subject;
  const finalizers = listAt(input.metadata, "finalizers").map(textOf).filter(Boolean).join(", ");
  const blocked = conditionsOf(input.status).find(({ status, message }) => status === "true" && message !== "");
  const facts = {
    kind: ref.kind,
    name: ref.name,
    namespace: ref.namespace,
    finalizers,
    node: textAt(input.spec, "nodeName"),
    said: blocked?.message,
  };
  const due = textAt(input.metadata, "deletionTimestamp");
  if (isPod(subject) && finalizers === "" && late === true && now !== undefined && timeOf(due) < now) {
    return ownRoot(explanationOf("lifecycle", "overdue-pod", { ...facts, time: shownTime(due) }));
  }
  const row = ref.kind === "Namespace" && ref.group === "" ? "namespace" : finalizers === "" ? "terminating" : "finalizers";
  return ownRoot(explanationOf("lifecycle", row, facts));
}
