import type { ApiObject } from "./api-object.ts";
import { ageText, humanDuration } from "./durations.ts";
import { listAt, numberAt, textAt, textMapAt, treeAt, valueAt } from "./json-tree.ts";
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
  return (object) => textAt(object, ...path) ?? fallback;
}

/** Number at a path, 0 when absent. */
export function count(...path: readonly string[]): Cell {
  return (object) => numberAt(object, ...path) ?? 0;
}

export const NAME = column("Name", (object) => object.metadata.name);
export const AGE = column("Age", (object, now) => ageText(object.metadata.creationTimestamp, now));
export const CREATED = column("Created At:date", (object) => object.metadata.creationTimestamp);

/** Containers and images of a pod template, and a selector: the wide columns of workloads. */
export function templateColumns(...path: readonly string[]): Column[] {
  const of = (object: ApiObject, field: string): string =>
    listAt(object, ...path, "containers")
      .map((one) => textAt(one, field) ?? "")
      .join(",");
  return [column("Containers*", (object) => of(object, "name")), column("Images*", (object) => of(object, "image"))];
}

export const SELECTOR = column("Selector*", (object) => selectorText(valueAt(object, "spec", "selector")) || "<none>");

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
  let status = textAt(pod, "status", "reason") ?? textAt(pod, "status", "phase") ?? "Unknown";
  for (const one of listAt(pod, "status", "containerStatuses")) {
    const waiting = textAt(one, "state", "waiting", "reason");
    const ended = textAt(one, "state", "terminated", "reason");
    if (waiting !== undefined) status = waiting;
    else if (ended !== undefined) status = ended;
  }
  if (pod.metadata.deletionTimestamp !== undefined) return "Terminating";
  return status;
}

export function podReady(pod: ApiObject): string {
  const ready = listAt(pod, "status", "containerStatuses").filter((one) => valueAt(one, "ready") === true).length;
  return `${ready}/${listAt(pod, "spec", "containers").length}`;
}

export function podRestarts(pod: ApiObject): string {
  return String(listAt(pod, "status", "containerStatuses").reduce<number>((sum, one) => sum + (numberAt(one, "restartCount") ?? 0), 0));
}

export function servicePorts(service: ApiObject): string {
  const ports = listAt(service, "spec", "ports").map((port) => {
    const node = numberAt(port, "nodePort");
    return `${numberAt(port, "port")}${node === undefined ? "" : `:${node}`}/${textAt(port, "protocol") ?? "TCP"}`;
  });
  return ports.join(",") || "<none>";
}

/** External address as kubectl shows it: `<pending>` while a load balancer has none. */
export function externalAddress(service: ApiObject): string {
  if (textAt(service, "spec", "type") === "ExternalName") return textAt(service, "spec", "externalName") ?? "<none>";
  if (textAt(service, "spec", "type") !== "LoadBalancer") return "<none>";
  return balancerAddress(service) || "<pending>";
}

export function balancerAddress(object: ApiObject): string {
  return listAt(object, "status", "loadBalancer", "ingress")
    .map((one) => textAt(one, "ip") ?? textAt(one, "hostname") ?? "")
    .join(",");
}

export function jobStatus(job: ApiObject): string {
  const is = (type: string): boolean =>
    listAt(job, "status", "conditions").some((one) => textAt(one, "type") === type && textAt(one, "status") === "True");
  if (is("Complete")) return "Complete";
  if (is("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  return is("Suspended") ? "Suspended" : "Running";
}

export function jobDuration(job: ApiObject, now: number): string {
  const start = textAt(job, "status", "startTime");
  if (start === undefined) return "";
  const end = textAt(job, "status", "completionTime");
  return humanDuration((end === undefined ? now : Date.parse(end)) - Date.parse(start));
}

export function nodeStatus(node: ApiObject): string {
  const ready = listAt(node, "status", "conditions").find((one) => textAt(one, "type") === "Ready");
  const text = ready === undefined ? "Unknown" : textAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return valueAt(node, "spec", "unschedulable") === true ? `${text},SchedulingDisabled` : text;
}

export function nodeRoles(node: ApiObject): string {
  const prefix = "node-role.kubernetes.io/";
  const roles = Object.keys(node.metadata.labels ?? {}).filter((label) => label.startsWith(prefix));
  return roles.map((label) => label.slice(prefix.length)).join(",") || "<none>";
}

export function nodeAddress(node: ApiObject, type: string): string {
  return (
    textAt(
      listAt(node, "status", "addresses").find((one) => textAt(one, "type") === type),
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
    listAt(object, ...path)
      .map((mode) => short[String(mode)] ?? String(mode))
      .join(",");
}

/** Sizes of `data` and `binaryData` together. */
export function dataCount(object: ApiObject): string {
  return String(Object.keys(treeAt(object, "data")).length + Object.keys(treeAt(object, "binaryData")).length);
}

export function eventObject(event: ApiObject): string {
  return `${(textAt(event, "involvedObject", "kind") ?? "").toLowerCase()}/${textAt(event, "involvedObject", "name") ?? ""}`;
}

export function subjectNames(kind: string): Cell {
  return (object) =>
    listAt(object, "subjects")
      .filter((one) => textAt(one, "kind") === kind)
      .map((one) =>
        kind === "ServiceAccount" ? `${textAt(one, "namespace") ?? ""}/${textAt(one, "name") ?? ""}` : (textAt(one, "name") ?? ""),
      )
      .join(", ");
}

export function autoscalerTargets(object: ApiObject): string {
  const current = listAt(object, "status", "currentMetrics");
  const texts = listAt(object, "spec", "metrics").map((metric, index) => {
    const name = textAt(metric, "resource", "name") ?? textAt(metric, "type") ?? "";
    const now = numberAt(current[index], "resource", "current", "averageUtilization");
    return `${name}: ${now === undefined ? "<unknown>" : `${now}%`}/${numberAt(metric, "resource", "target", "averageUtilization") ?? "?"}%`;
  });
  return texts.join(", ") || "<none>";
}

export function selectorMapText(object: ApiObject): string {
  return mapText(textMapAt(object, "spec", "selector"));
}

/** A text or number as text, or the fallback for anything else. */
export function scalarText(value: unknown, fallback: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : fallback;
}
