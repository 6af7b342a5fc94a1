import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

import { conditionOf, conditionsOf } from "../../condition.ts";
import { readyLostWithNode } from "../../lost-node.ts";
import { isKind } from "../../relatives.ts";
import { besideCondition } from "../episodes.ts";
import { eventRoot, ownRoot, type Root, type Subject } from "../root.ts";
import { blaming, causeOf, keyOfNode } from "../root-key.ts";
import { explanationOf } from "../explanation.ts";
import { relatedNamed, warningOf, type World } from "../world.ts";

const NODE_EVENTS = new Set(["NodeNotReady"]);

/** Why a node is not well. */
export function nodeRoot({ input, ref, reason, status, message }: Subject): Root {
  const facts = { name: ref.name, reason, said: message };
  if (status === "Suspended") return ownRoot(explanationOf("node", "cordoned", facts));
  const ready = conditionOf(conditionsOf(input.status), "Ready");
  if (ready?.status === "true") return ownRoot(explanationOf("node", "pressure", facts));
  return ownRoot(explanationOf("node", "not-ready", { ...facts, said: ready?.message }));
}

/**
 * The node of a pod is not ready: by the Node itself, else by an event, else by what the pod shows; `null` when it is ready, or when nothing is
 * known about it.
 */
export function nodeOfPodRoot(pod: Subject, world: World): Root | null {
  const name = textAt(pod.input.spec, "nodeName");
  if (name === "") return null;
  const node = relatedNamed({ group: "", kind: "Node", namespace: "", name }, world);
  if (node !== undefined) {
    const ready = conditionOf(conditionsOf(fieldsAt(node, "status")), "Ready");
    return ready === undefined || ready.status === "true" ? null : world.follow(node, world);
  }
  const ready = readyLostWithNode(pod.input.object);
  const event = warningOf(pod.ref, NODE_EVENTS, world);
  if (event !== undefined) {
    const explanation = explanationOf("node", "lost", { name, pod: pod.ref.name, said: event.message });
    return blaming(eventRoot(besideCondition(event, ready?.changedAt ?? ""), explanation, pod), keyOfNode(name, causeOf(explanation)));
  }
  if (ready === undefined) return null;
  const explanation = explanationOf("node", "lost", { name, pod: pod.ref.name });
  return blaming(ownRoot(explanation, [ready.changedAt]), keyOfNode(name, causeOf(explanation)));
}

/**
 * The node of a pod that has not started is not ready, as another pod on it shows; `null` when the Node itself can be read, or when nothing
 * shows it.
 */
export function nodeLostBesideRoot(pod: Subject, world: World): Root | null {
  const name = textAt(pod.input.spec, "nodeName");
  if (name === "" || relatedNamed({ group: "", kind: "Node", namespace: "", name }, world) !== undefined) return null;
  const isOnNode = (other: Fields): boolean => isKind(other, "", "Pod") && textAt(fieldsAt(other, "spec"), "nodeName") === name;
  const ready = (world.related ?? []).filter(isOnNode).flatMap((other) => readyLostWithNode(other) ?? [])[0];
  if (ready === undefined) return null;
  const explanation = explanationOf("node", "lost", { name, pod: pod.ref.name });
  return blaming(ownRoot(explanation, [ready.changedAt]), keyOfNode(name, causeOf(explanation)));
}
