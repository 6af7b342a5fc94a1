import type { ApiObject } from "./api-object.ts";
import { ageText, humanDuration } from "./durations.ts";
import { listIn, numberIn, textIn, textMapIn, treeIn, valueIn } from "./json-tree.ts";
import { selectorText } from "./label-selector.ts";

/** One column: `Name`, `Name*` (only with `-o wide`), `Name:integer`. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly priority: number;
  readonly cell: (object: ApiObject, now: number) => unknown;
}

type Cell = Column["cell"];

/** Reads `Ready`, `IP*` or `Desired:integer` and its cell. */
export function column(title: string, cell: Cell): Column {
  const [label = "", type = "string"] = title.split(":");
  const wide = label.endsWith("*");
  return { name: wide ? label.slice(0, -1) : label, type, priority: wide ? 1 : 0, cell };
}

/** Text at a path, or a fallback. */
export function text(fallback: string, ...path: readonly (string | number)[]): Cell {
  return (object) => textIn(object, ...path) ?? fallback;
}

/** Number at a path, 0 when absent. */
export function count(...path: readonly string[]): Cell {
  return (object) => numberIn(object, ...path) ?? 0;
}

export const NAME = column("Name", (object) => object.metadata.name);
export const AGE = column("Age", (object, now) => ageText(object.metadata.creationTimestamp, now));
export const CREATED = column("Created At:date", (object) => object.metadata.creationTimestamp);

/** Containers and images of a pod template, and a selector: the wide columns of workloads. */
export function templateColumns(...path: readonly string[]): Column[] {
  const of = (object: ApiObject, field: string): string =>
    listIn(object, ...path, "containers")
      .map((one) => textIn(one, field) ?? "")
      .join(",");
  return [column("Containers*", (object) => of(object, "name")), column("Images*", (object) => of(object, "image"))];
}

export const SELECTOR = column("Selector*", (object) => selectorText(valueIn(object, "spec", "selector")) || "<none>");

/** `a=b,c=d`, or `<none>`. */
export function mapText(map: Readonly<Record<string, string>>): string {
  return (
    Object.entries(map)
      .map(([key, value]) => `${key}=${value}`)
      .join(",") || "<none>"
  );
}

/** What `kubectl get pods` says in STATUS. */
export function podStatus(pod: ApiObject): string {
  let status = textIn(pod, "status", "reason") ?? textIn(pod, "status", "phase") ?? "Unknown";
  for (const one of listIn(pod, "status", "containerStatuses")) {
    const waiting = textIn(one, "state", "waiting", "reason");
    const ended = textIn(one, "state", "terminated", "reason");
    if (waiting !== undefined) status = waiting;
    else if (ended !== undefined) status = ended;
  }
  if (pod.metadata.deletionTimestamp !== undefined) return "Terminating";
  return status;
}

export function podReady(pod: ApiObject): string {
  const ready = listIn(pod, "status", "containerStatuses").filter((one) => valueIn(one, "ready") === true).length;
  return `${ready}/${listIn(pod, "spec", "containers").length}`;
}

export function podRestarts(pod: ApiObject): string {
  return String(listIn(pod, "status", "containerStatuses").reduce<number>((sum, one) => sum + (numberIn(one, "restartCount") ?? 0), 0));
}

export function servicePorts(service: ApiObject): string {
  const ports = listIn(service, "spec", "ports").map((port) => {
    const node = numberIn(port, "nodePort");
    return `${numberIn(port, "port")}${node === undefined ? "" : `:${node}`}/${textIn(port, "protocol") ?? "TCP"}`;
  });
  return ports.join(",") || "<none>";
}

/** External address as kubectl shows it: `<pending>` while a load balancer has none. */
export function externalAddress(service: ApiObject): string {
  if (textIn(service, "spec", "type") === "ExternalName") return textIn(service, "spec", "externalName") ?? "<none>";
  if (textIn(service, "spec", "type") !== "LoadBalancer") return "<none>";
  return balancerAddress(service) || "<pending>";
}

export function balancerAddress(object: ApiObject): string {
  return listIn(object, "status", "loadBalancer", "ingress")
    .map((one) => textIn(one, "ip") ?? textIn(one, "hostname") ?? "")
    .join(",");
}

export function jobStatus(job: ApiObject): string {
  const is = (type: string): boolean =>
    listIn(job, "status", "conditions").some((one) => textIn(one, "type") === type && textIn(one, "status") === "True");
  if (is("Complete")) return "Complete";
  if (is("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  return is("Suspended") ? "Suspended" : "Running";
}

export function jobDuration(job: ApiObject, now: number): string {
  const start = textIn(job, "status", "startTime");
  if (start === undefined) return "";
  const end = textIn(job, "status", "completionTime");
  return humanDuration((end === undefined ? now : Date.parse(end)) - Date.parse(start));
}

export function nodeStatus(node: ApiObject): string {
  const ready = listIn(node, "status", "conditions").find((one) => textIn(one, "type") === "Ready");
  const text = ready === undefined ? "Unknown" : textIn(ready, "status") === "True" ? "Ready" : "NotReady";
  return valueIn(node, "spec", "unschedulable") === true ? `${text},SchedulingDisabled` : text;
}

export function nodeRoles(node: ApiObject): string {
  const prefix = "node-role.kubernetes.io/";
  const roles = Object.keys(node.metadata.labels ?? {}).filter((label) => label.startsWith(prefix));
  return roles.map((label) => label.slice(prefix.length)).join(",") || "<none>";
}

export function nodeAddress(node: ApiObject, type: string): string {
  return (
    textIn(
      listIn(node, "status", "addresses").find((one) => textIn(one, "type") === type),
      "address",
    ) ?? "<none>"
  );
}

export function accessModes(...path: readonly string[]): Cell {
  const short: Readonly<Record<string, string>> = {
    ReadWriteOnce: "RWO",
    ReadOnlyMany: "ROX",
    ReadWriteMany: "RWX",
    ReadWriteOncePod: "RWOP",
  };
  return (object) =>
    listIn(object, ...path)
      .map((mode) => short[String(mode)] ?? String(mode))
      .join(",");
}

/** Sizes of `data` and `binaryData` together. */
export function dataCount(object: ApiObject): string {
  return String(Object.keys(treeIn(object, "data")).length + Object.keys(treeIn(object, "binaryData")).length);
}

export function eventObject(event: ApiObject): string {
  return `${(textIn(event, "involvedObject", "kind") ?? "").toLowerCase()}/${textIn(event, "involvedObject", "name") ?? ""}`;
}

export function subjectNames(kind: string): Cell {
  return (object) =>
    listIn(object, "subjects")
      .filter((one) => textIn(one, "kind") === kind)
      .map((one) =>
        kind === "ServiceAccount" ? `${textIn(one, "namespace") ?? ""}/${textIn(one, "name") ?? ""}` : (textIn(one, "name") ?? ""),
      )
      .join(", ");
}

export function autoscalerTargets(object: ApiObject): string {
  const current = listIn(object, "status", "currentMetrics");
  const texts = listIn(object, "spec", "metrics").map((metric, index) => {
    const name = textIn(metric, "resource", "name") ?? textIn(metric, "type") ?? "";
    const now = numberIn(current[index], "resource", "current", "averageUtilization");
    return `${name}: ${now === undefined ? "<unknown>" : `${now}%`}/${numberIn(metric, "resource", "target", "averageUtilization") ?? "?"}%`;
  });
  return texts.join(", ") || "<none>";
}

export function selectorMapText(object: ApiObject): string {
  return mapText(textMapIn(object, "spec", "selector"));
}

/** A text or number as text, or the fallback for anything else. */
export function scalarText(value: unknown, fallback: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : fallback;
}
