import { isGeneratedSecret, type GraphNode } from "@binnacle/graph";
import { specChangedAt } from "@binnacle/health";
import { fieldsOf, type KubeObject } from "@binnacle/kube";
import type { EnvironmentHealth } from "@binnacle/proto/dashboard";
import { toInt32, toUint32 } from "@binnacle/proto/wire-values";
import type { Timestamp } from "@bufbuild/protobuf/wkt";

import { timeField } from "../base/timestamp-of.ts";
import type { ViewSource } from "../stream/view-model.ts";

/** Kinds with a pod template whose change is a change of the environment, though it may create nothing. */
const TEMPLATED: ReadonlySet<string> = new Set(["Deployment", "StatefulSet", "DaemonSet"]);

/** What a node card shows beside health. */
export interface NodeFacts {
  /** Container restarts of a Pod. */
  readonly restarts: number;
  /** Images of its containers, init containers first, each once. */
  readonly images: readonly string[];
  /** Empty when it exposes none. */
  readonly externalUrl: string;
  /** An old ReplicaSet or a finished Job of a CronJob: folded by default. */
  readonly superseded: boolean;
  /** A Secret that a program wrote for itself. */
  readonly generated: boolean;
  /** Name of the node that a pod is on; empty for other kinds, without a node, and when the pod has ended. */
  readonly nodeName: string;
  /** When the specification of a workload was last written; absent when nothing says so. */
  readonly changedAt?: Timestamp;
}

/** Facts of a resource without an object. */
export const NO_FACTS: NodeFacts = { externalUrl: "", superseded: false, restarts: 0, images: [], generated: false, nodeName: "" };

/** Pods, by group and kind. */
export const PODS = { group: "", kind: "Pod" } as const;

/** Facts that stand in the object itself. Never throws on odd shapes. */
export function nodeFactsOf(object: KubeObject): NodeFacts {
  return {
    restarts: restartsOf(object),
    images: imagesOf(object),
    externalUrl: externalUrlOf(object),
    superseded: isSuperseded(object),
    generated: isGeneratedSecret(object),
    nodeName: nodeNameOf(object),
    ...(isTemplated(object) && timeField("changedAt", specChangedAt(fieldsOf(object.metadata)))),
  };
}

/** Name of the node that a pod is on; empty for what is no pod, and for a pod without a node, or that has ended and takes nothing of it any more. */
export function nodeNameOf(object: KubeObject): string {
  if (object.kind !== "Pod" || object.apiVersion !== "v1") return "";
  const [name, phase] = [at(object, "spec", "nodeName"), at(object, "status", "phase")];
  return typeof name === "string" && phase !== "Succeeded" && phase !== "Failed" ? name : "";
}

function isTemplated({ apiVersion, kind }: KubeObject): boolean {
  return apiVersion.startsWith("apps/") && TEMPLATED.has(kind);
}

function restartsOf(object: KubeObject): number {
  if (object.kind !== "Pod") return 0;
  const statuses = [...list(at(object, "status", "initContainerStatuses")), ...list(at(object, "status", "containerStatuses"))];
  return statuses.reduce((sum: number, status) => sum + count(at(status, "restartCount")), 0);
}

function imagesOf(object: KubeObject): readonly string[] {
  const spec =
    object.kind === "Pod"
      ? at(object, "spec")
      : (at(object, "spec", "template", "spec") ?? at(object, "spec", "jobTemplate", "spec", "template", "spec"));
  const containers = [...list(at(spec, "initContainers")), ...list(at(spec, "containers"))];
  return [...new Set(containers.map((container) => at(container, "image")).filter((image) => typeof image === "string"))];
}

function externalUrlOf(object: KubeObject): string {
  if (object.kind === "Ingress" && object.apiVersion.startsWith("networking.k8s.io/")) return ingressUrl(object);
  if (object.kind === "Service" && object.apiVersion === "v1") return loadBalancerUrl(object);
  return "";
}

function ingressUrl(object: KubeObject): string {
  for (const rule of list(at(object, "spec", "rules"))) {
    const host = at(rule, "host");
    // A wildcard is no address.
    if (typeof host !== "string" || host === "" || host.includes("*")) continue;
    const secure = list(at(object, "spec", "tls")).some((tls) => list(at(tls, "hosts")).includes(host));
    const [first] = list(at(rule, "http", "paths"));
    const path = at(first, "path");
    return urlOf(`${secure ? "https" : "http"}://${host}${typeof path === "string" && path.startsWith("/") ? path : "/"}`);
  }
  return "";
}

function loadBalancerUrl(object: KubeObject): string {
  if (at(object, "spec", "type") !== "LoadBalancer") return "";
  const [address] = list(at(object, "status", "loadBalancer", "ingress"));
  const host = at(address, "hostname") ?? at(address, "ip");
  if (typeof host !== "string" || host === "") return "";
  const ports = list(at(object, "spec", "ports")).map((port) => at(port, "port"));
  const name = host.includes(":") ? `[${host}]` : host;
  if (ports.includes(443)) return urlOf(`https://${name}/`);
  return ports.includes(80) ? urlOf(`http://${name}/`) : "";
}

/** Only a URL that the parser accepts, as it writes it: every writer of the object can choose the text. */
function urlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && (url.protocol === "http:" || url.protocol === "https:") ? url.href : "";
}

function isSuperseded(object: KubeObject): boolean {
  const controller = list(object.metadata.ownerReferences).find((owner) => at(owner, "controller") === true);
  if (!controller) return false;
  if (object.kind === "ReplicaSet") return at(object, "spec", "replicas") === 0 && count(at(object, "status", "replicas")) === 0;
  if (object.kind !== "Job" || at(controller, "kind") !== "CronJob") return false;
  return list(at(object, "status", "conditions")).some((condition) => {
    const type = at(condition, "type");
    return (type === "Complete" || type === "Failed") && at(condition, "status") === "True";
  });
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/**
 * Writes the number of pods on their node into the issues that blame a node, and whether there may be more of them: not all are known unless every
 * source of pods has been read in full.
 *
 * @param shown what the scope shows
 */
export function countPodsOfNodes(
  { issues, uncounted }: EnvironmentHealth,
  shown: readonly GraphNode[],
  sources: readonly ViewSource[],
): void {
  const blaming = [...issues, ...uncounted].filter(({ node }) => node !== "");
  if (blaming.length === 0) return;
  const counts = new Map<string, number>();
  for (const { object } of shown) {
    const name = object === undefined ? "" : nodeNameOf(object);
    if (name !== "") counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const ofPods = sources.filter(({ group, kind }) => group === PODS.group && kind === PODS.kind);
  const isAll = ofPods.length > 0 && ofPods.every(({ settled }) => settled === "live");
  for (const issue of blaming) {
    issue.pods = counts.get(issue.node) ?? 0;
    issue.morePods = !isAll;
  }
}

/** Replicas for the wire; -1 for a kind that has none. */
export function replicaCount(count = -1): number {
  return Number.isFinite(count) ? Math.max(-1, toInt32(count)) : -1;
}

/** Restarts for the wire. */
export function restartCount(count: number): number {
  return toUint32(count);
}
