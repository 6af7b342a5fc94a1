import { fieldsAt, textAt, fieldsOf, listAt, type Fields, numberAt } from "@binnacle/kube";
import { textsOf, words, type Words } from "@binnacle/words";

import type { HealthStatus } from "../../health-status.ts";
import { refOf } from "../../health-ref.ts";
import { isKind } from "../../relatives.ts";
import { ownRoot, type Root, type Subject, eventRoot } from "../root.ts";
import { blaming, keyOfRivals, keyOfService } from "../root-key.ts";
import { explanationOf } from "../explanation.ts";
import type { Row } from "../rows.ts";
import { type World, relatedNamed, warningOf } from "../world.ts";
import { missingRoot } from "./reference-root.ts";

/** At most so many autoscalers of the same pods are named. */
const MAX_RIVALS = 10;

/** So many containers are named. */
const MAX_NAMED = 5;

/** Why a HorizontalPodAutoscaler does not scale. */
export function autoscalerRoot(subject: Subject, world: World): Root {
  const { input, ref, reason, message, status } = subject;
  const target = fieldsAt(input.spec, "scaleTargetRef");
  const facts = { reason, name: ref.name, said: message, target: `${textAt(target, "kind")} ${textAt(target, "name")}`.trim() };
  const text = textsOf(message);
  const row = rowOf(reason, text, status);
  const missing = world.missing.find(({ kind, name }) => `${kind} ${name}` === facts.target);
  if (missing !== undefined && row === "no-target") return missingRoot(missing, subject);
  const rivals = row === "ambiguous" ? rivalsIn(text) : [];
  const others = rivals.filter((name) => name !== ref.name);
  const explanation = explanationOf("autoscaling", row, {
    ...facts,
    unrequested: unrequestedOf(subject, world),
    others: others.length === 0 ? undefined : others,
    said: others.length === 0 ? facts.said : "",
  });
  if (rivals.length > 0) return blaming(ownRoot(explanation), keyOfRivals(ref.namespace, rivals));
  return blaming(ownRoot(explanation), row === "no-metrics" ? keyOfMetrics(text) : undefined);
}

/** Names in "pods by selector app=web are controlled by multiple HPAs: [env/one env/two]", each once, sorted; at most ten. */
function rivalsIn(message: string): string[] {
  const [, list = ""] = /multiple HPAs: \[([^\][]*)\]/.exec(message) ?? [];
  const names = list.split(/[\s,]+/).map((each) => each.slice(each.indexOf("/") + 1));
  return [...new Set(names.filter((name) => name !== ""))].sort().slice(0, MAX_RIVALS);
}

/**
 * The API that gives no metrics is the same for all autoscalers. Metrics of the custom and the external one come and go each
 * for itself, so that there its own words count, too.
 */
function keyOfMetrics(message: string): string | undefined {
  const sign = /(resource|custom|external) metrics API/.exec(message);
  if (sign === null) return undefined;
  const [all, api = ""] = sign;
  const words = message.slice(sign.index + all.length);
  if (api === "resource") return keyOfService("metrics-api", api);
  return words === "" ? undefined : keyOfService("metrics-api", `${api}${words}`);
}

function rowOf(reason: string, message: string, status: HealthStatus): Row<"autoscaling"> {
  if (/^Failed(?:Get|Update)Scale$/.test(reason)) return "no-target";
  if (reason === "AmbiguousSelector") return "ambiguous";
  if (reason === "InvalidSelector") return "selector";
  if (/missing request for/.test(message)) return "no-requests";
  if (/^Failed.*Metric/.test(reason)) return "no-metrics";
  return status === "Degraded" ? "not-scaling" : "waiting";
}

/**
 * Containers of an autoscaler's target without a request for its resource, so that utilization cannot be computed; absent when
 * there is none, or the target is not known.
 */
function unrequestedOf({ input, ref }: Subject, world: World): Words | undefined {
  const target = fieldsAt(input.spec, "scaleTargetRef");
  const [group = "", version] = textAt(target, "apiVersion").split("/");
  const known = relatedNamed(
    { group: version === undefined ? "" : group, kind: textAt(target, "kind"), namespace: ref.namespace, name: textAt(target, "name") },
    world,
  );
  const template = fieldsAt(fieldsAt(fieldsAt(known, "spec"), "template"), "spec");
  for (const resource of ratiosOf(input.spec)) {
    const lacking = listAt(template, "containers").filter((container) => !hasRequest(fieldsOf(container), resource));
    const containers = lacking.map((container) => textAt(container, "name")).slice(0, MAX_NAMED);
    if (containers.length > 0) return words("autoscaling/unrequested", { count: containers.length, containers, resource });
  }
  return undefined;
}

/** Resources whose target is a share of the requests. The first version supports the CPU alone. */
function ratiosOf(spec: Fields): string[] {
  const metrics = listAt(spec, "metrics").map((metric) => fieldsAt(metric, "resource"));
  const ratios = metrics
    .filter((metric) => textAt(fieldsAt(metric, "target"), "type") === "Utilization")
    .map((metric) => textAt(metric, "name"));
  return spec["targetCPUUtilizationPercentage"] === undefined ? ratios : ["cpu", ...ratios];
}

/** A limit is a request where no other is stated. */
function hasRequest(container: Fields, resource: string): boolean {
  const resources = fieldsAt(container, "resources");
  return [fieldsAt(resources, "requests"), fieldsAt(resources, "limits")].some((stated) => stated[resource] !== undefined);
}

/** The disruption controller writes it about pods. */
const SEVERAL_BUDGETS = new Set(["MultiplePodDisruptionBudgets"]);

/** At most so many other budgets are named. */
const MAX_NAMED_BUDGETS = 5;

/** Why a PodDisruptionBudget is violated: too few of its pods are healthy, or another budget selects them too, and then none is counted well. */
export function budgetRoot(subject: Subject, world: World): Root {
  return severalBudgetsRoot(subject, world) ?? ownRoot(explainViolated(subject));
}

function explainViolated({ input, ref, reason }: Subject) {
  const counts = { current: numberAt(input.status, "currentHealthy") ?? 0, desired: numberAt(input.status, "desiredHealthy") ?? 0 };
  return explanationOf("autoscaling", "budget-violated", { reason, name: ref.name, ...counts });
}

function severalBudgetsRoot(subject: Subject, world: World): Root | null {
  const { input, ref } = subject;
  const pods = (world.related ?? []).filter((object) => isKind(object, "", "Pod") && isSelected(object, input.object));
  const others = (world.related ?? []).filter((object) => isBudget(object, ref.name) && pods.some((pod) => isSelected(pod, object)));
  const event = pods.map((pod) => warningOf(refOf(pod), SEVERAL_BUDGETS, world)).find((each) => each !== undefined);
  if (others.length === 0 && event === undefined) return null;
  const names = others
    .map((object) => refOf(object).name)
    .sort()
    .slice(0, MAX_NAMED_BUDGETS);
  const facts = { name: ref.name, others: names.length === 0 ? undefined : names, said: names.length === 0 ? event?.message : "" };
  const explanation = explanationOf("autoscaling", "several-budgets", facts);
  const key = names.length === 0 ? undefined : keyOfRivals(ref.namespace, [ref.name, ...names].sort());
  return blaming(event === undefined ? ownRoot(explanation) : eventRoot(event, explanation, subject), key);
}

function isBudget(object: Fields, besides: string): boolean {
  return isKind(object, "policy", "PodDisruptionBudget") && refOf(object).name !== besides;
}

/** Whether a budget selects a pod by labels alone; what another selector means is not known here. */
function isSelected(pod: Fields, budget: Fields): boolean {
  const [podMeta, own] = [fieldsAt(pod, "metadata"), fieldsAt(budget, "metadata")];
  const selector = fieldsAt(fieldsAt(budget, "spec"), "selector");
  const wanted = Object.entries(fieldsAt(selector, "matchLabels"));
  if (textAt(podMeta, "namespace") !== textAt(own, "namespace") || listAt(selector, "matchExpressions").length > 0) return false;
  const labels = fieldsAt(podMeta, "labels");
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}
