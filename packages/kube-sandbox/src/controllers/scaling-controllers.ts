import type { ApiObject } from "../api-object.ts";
import { listIn, numberIn, textIn, treeIn, valueIn, type Tree } from "../json-tree.ts";
import { matcherOf } from "../label-selector.ts";
import { splitGroupVersion } from "../resource-registry.ts";
import type { StoreEvent } from "../store.ts";
import type { Cluster } from "./cluster.ts";
import { itself, type Controller, type Key } from "./controller-loop.ts";
import { isActive, isReady, resolvePercent, withCondition } from "./pod-state.ts";

const AUTOSCALERS = "autoscaling/horizontalpodautoscalers";
const BUDGETS = "policy/poddisruptionbudgets";
const PODS = "/pods";
const WORKLOADS = ["apps/deployments", "apps/statefulsets", "apps/replicasets"];
/** The load every simulated pod reports, in percent of its request. */
const LOAD_PERCENT = 50;

/** Keeps a target between minReplicas and maxReplicas and reports a steady load: nothing here makes real load. Use in percent needs requests. */
export function autoscalerController(cluster: Cluster): Controller {
  const targeting = ({ object }: StoreEvent): Key[] =>
    cluster
      .list(AUTOSCALERS, object.metadata.namespace)
      .filter(
        (one) =>
          textIn(one, "spec", "scaleTargetRef", "kind") === object.kind &&
          textIn(one, "spec", "scaleTargetRef", "name") === object.metadata.name,
      )
      .map((one) => ({ namespace: one.metadata.namespace, name: one.metadata.name }));
  return {
    name: "horizontal-pod-autoscaler",
    watches: { [AUTOSCALERS]: itself, ...Object.fromEntries(WORKLOADS.map((storage) => [storage, targeting])) },
    reconcile: (key) => {
      autoscale(cluster, key);
      return undefined;
    },
  };
}

function autoscale(cluster: Cluster, { namespace, name }: Key): void {
  const scaler = cluster.get(AUTOSCALERS, namespace, name);
  if (!scaler || scaler.metadata.deletionTimestamp !== undefined) return;
  const now = cluster.timestamp();
  const reference = treeIn(scaler, "spec", "scaleTargetRef");
  const [group] = splitGroupVersion(textIn(reference, "apiVersion") ?? "apps/v1");
  const of = cluster.writer.registry.findKind(group, textIn(reference, "kind") ?? "");
  const target = of && cluster.get(of.storage, namespace, textIn(reference, "name") ?? "");
  let conditions = [...listIn(scaler, "status", "conditions")];
  const set = (type: string, status: string, why: { readonly reason: string; readonly message: string }): void => {
    conditions = withCondition(conditions, { type, status, ...why }, now);
  };
  if (!of || !target) {
    set("AbleToScale", "False", {
      reason: "FailedGetScale",
      message: `the HPA controller was unable to get the target's current scale: ${of?.plural ?? "resource"}.${group} "${textIn(reference, "name")}" not found`,
    });
    cluster.updateStatus(AUTOSCALERS, scaler, { currentReplicas: 0, desiredReplicas: 0, currentMetrics: null, conditions });
    return;
  }
  const size = numberIn(target, "spec", "replicas") ?? 1;
  const wanted = Math.min(Math.max(size, numberIn(scaler, "spec", "minReplicas") ?? 1), numberIn(scaler, "spec", "maxReplicas") ?? size);
  // A target scaled to zero is switched off, not too small.
  if (wanted !== size && size > 0) {
    cluster.update(of.storage, { ...target, spec: { ...treeIn(target, "spec"), replicas: wanted } });
    cluster.record(scaler, {
      reason: "SuccessfulRescale",
      message: `New size: ${wanted}; reason: Current number of replicas outside the limits of the autoscaler`,
      component: "horizontal-pod-autoscaler",
    });
  }
  const uncounted = missingRequest(cluster, scaler, target);
  if (size === 0)
    set("ScalingActive", "False", {
      reason: "ScalingDisabled",
      message: "scaling is disabled since the replica count of the target is zero",
    });
  else if (uncounted !== undefined)
    set("ScalingActive", "False", {
      reason: "FailedGetResourceMetric",
      message: `the HPA was unable to compute the replica count: ${uncounted}`,
    });
  else
    set("ScalingActive", "True", {
      reason: "ValidMetricFound",
      message: "the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)",
    });
  set("AbleToScale", "True", { reason: "ReadyForNewScale", message: "recommended size matches current size" });
  set("ScalingLimited", "False", { reason: "DesiredWithinRange", message: "the desired count is within the acceptable range" });
  const metrics = listIn(scaler, "spec", "metrics")
    .filter((metric) => textIn(metric, "type") === "Resource" && uncounted === undefined)
    .map(currentMetric);
  cluster.updateStatus(AUTOSCALERS, scaler, {
    currentReplicas: numberIn(target, "status", "replicas") ?? 0,
    desiredReplicas: size === 0 ? 0 : wanted,
    currentMetrics: metrics,
    conditions,
  });
}

/**
 * Why no metric gives a number of replicas; `undefined` when one does. Utilization is a share of the requests of all containers.
 *
 * @see https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/controller/podautoscaler/replica_calculator.go calculateRequests
 */
function missingRequest(cluster: Cluster, scaler: ApiObject, target: ApiObject): string | undefined {
  const matches = matcherOf(valueIn(target, "spec", "selector"));
  const pods = cluster.list(PODS, target.metadata.namespace).filter((pod) => isActive(pod) && matches(pod.metadata.labels));
  const reasons = listIn(scaler, "spec", "metrics").map((metric) => {
    if (textIn(metric, "resource", "target", "type") !== "Utilization") return undefined;
    const resource = textIn(metric, "resource", "name") ?? "";
    for (const pod of pods) {
      const container = listIn(pod, "spec", "containers").find((one) => valueIn(one, "resources", "requests", resource) === undefined);
      if (container === undefined) continue;
      const of = `container ${textIn(container, "name")} of Pod ${pod.metadata.name}`;
      return `failed to get ${resource} utilization: missing request for ${resource} in ${of}`;
    }
    return undefined;
  });
  return reasons.includes(undefined) ? undefined : reasons[0];
}

function currentMetric(metric: unknown): Tree {
  return {
    type: "Resource",
    resource: { name: textIn(metric, "resource", "name"), current: { averageUtilization: LOAD_PERCENT, averageValue: "50m" } },
  };
}

/** Reports how many pods a disruption budget may lose. */
export function budgetController(cluster: Cluster): Controller {
  const covering = ({ object, previous }: StoreEvent): Key[] =>
    cluster
      .list(BUDGETS, object.metadata.namespace)
      .filter((one) => {
        const matches = matcherOf(valueIn(one, "spec", "selector"));
        return matches(object.metadata.labels) || (previous !== undefined && matches(previous.metadata.labels));
      })
      .map((one) => ({ namespace: one.metadata.namespace, name: one.metadata.name }));
  return {
    name: "disruption-controller",
    watches: { [BUDGETS]: itself, [PODS]: covering },
    reconcile({ namespace, name }) {
      const budget = cluster.get(BUDGETS, namespace, name);
      if (budget) reportBudget(cluster, budget);
      return undefined;
    },
  };
}

function reportBudget(cluster: Cluster, budget: ApiObject): void {
  const matches = matcherOf(valueIn(budget, "spec", "selector"));
  const pods = cluster
    .list(PODS, budget.metadata.namespace)
    .filter((pod) => matches(pod.metadata.labels) && pod.metadata.deletionTimestamp === undefined);
  const expected = pods.length;
  const healthy = pods.filter(isReady).length;
  const least = valueIn(budget, "spec", "minAvailable");
  const most = valueIn(budget, "spec", "maxUnavailable");
  const desired =
    least === undefined ? Math.max(0, expected - resolvePercent(most ?? 1, expected, "up")) : resolvePercent(least, expected, "up");
  const allowed = Math.max(0, healthy - desired);
  const condition = {
    type: "DisruptionAllowed",
    status: allowed > 0 ? "True" : "False",
    reason: allowed > 0 ? "SufficientPods" : "InsufficientPods",
    message: "",
    observedGeneration: budget.metadata.generation,
  };
  cluster.updateStatus(BUDGETS, budget, {
    observedGeneration: budget.metadata.generation,
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: desired,
    expectedPods: expected,
    conditions: withCondition(listIn(budget, "status", "conditions"), condition, cluster.timestamp()),
  });
}
