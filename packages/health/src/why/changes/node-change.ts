import { fieldsAt, textAt, type Fields } from "@binnacle/kube";
import { quoted, words, type Words } from "@binnacle/words";

import { conditionsOf } from "../../condition.ts";
import { refOf } from "../../health-ref.ts";
import type { HealthRef } from "../../health-result.ts";
import type { PrecedingChange } from "../why.ts";
import { eventsAbout, relatedNamed, type World } from "../world.ts";

const PRESSURES = new Set(["MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable"]);

/** Events by which the cluster tells that a node let its pods down. */
const NODE_EVENTS = new Set([
  "NodeNotReady",
  "NodeNotSchedulable",
  "TaintManagerEviction",
  "Evicted",
  "Preempted",
  "Preempting",
  "Shutdown",
  "NodeShutdown",
  "Rebooted",
  "SystemOOM",
  "EvictionThresholdMet",
]);

/** Trouble of the node that a pod runs on: its conditions, and events about the pod and the node. */
export function nodeChanges(pod: Fields, world: World): PrecedingChange[] {
  const podRef = refOf(pod);
  const name = textAt(fieldsAt(pod, "spec"), "nodeName");
  const node: HealthRef = { group: "", version: "v1", kind: "Node", namespace: "", name };
  const ref = name === "" ? podRef : node;
  const events = [...eventsAbout(podRef, world), ...(name === "" ? [] : eventsAbout(node, world))].filter(({ reason }) =>
    NODE_EVENTS.has(reason),
  );
  return [
    ...(name === "" ? [] : conditionChanges(node, world)),
    ...events.map(({ reason, message, firstAt }) => ({
      what: "node" as const,
      ref,
      at: firstAt,
      message: eventWords({ node: name, pod: podRef.name, reason, message }),
    })),
  ];
}

function eventWords({ node, pod, reason, message }: Readonly<Record<"node" | "pod" | "reason" | "message", string>>): Words {
  const facts = { reason, said: quoted(message) };
  return node === "" ? words("change/node-event-of-pod", { pod, ...facts }) : words("change/node-event", { node, ...facts });
}

function conditionChanges(ref: HealthRef, world: World): PrecedingChange[] {
  const node = relatedNamed(ref, world);
  return conditionsOf(fieldsAt(node, "status")).flatMap(({ type, status, changedAt, reason }) => {
    const bad = type === "Ready" ? status !== "true" && status !== "" : PRESSURES.has(type) && status === "true";
    if (!bad) return [];
    const facts = { node: ref.name, reason };
    const message =
      type === "Ready" ? words("change/node-not-ready", facts) : words("change/node-condition", { ...facts, condition: type });
    return [{ what: "node" as const, ref, at: changedAt, message }];
  });
}
