import { fieldsAt, textAt, type Fields } from "@binnacle/kube";

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
      message: `${name === "" ? `The node of pod ${podRef.name}` : `Node ${name}`}: ${reason}${message === "" ? "" : `, ${message}`}`,
    })),
  ];
}

function conditionChanges(ref: HealthRef, world: World): PrecedingChange[] {
  const node = relatedNamed(ref, world);
  return conditionsOf(fieldsAt(node, "status")).flatMap(({ type, status, changedAt, reason }) => {
    const bad = type === "Ready" ? status !== "true" && status !== "" : PRESSURES.has(type) && status === "true";
    if (!bad) return [];
    const words = type === "Ready" ? "stopped being ready" : `began to report ${type}`;
    return [{ what: "node" as const, ref, at: changedAt, message: `Node ${ref.name} ${words}${reason === "" ? "" : ` (${reason})`}` }];
  });
}
