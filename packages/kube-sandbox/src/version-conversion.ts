import type { ApiObject } from "./api-object.ts";
import { isTree, listIn, numberIn, textIn, treeIn, type Tree } from "./json-tree.ts";
import { apiVersionOf, type ResourceDefinition } from "./resource-definition.ts";

/** The object in the version of a definition; the same object when it is in it already. */
export function convertTo(object: ApiObject, of: ResourceDefinition): ApiObject {
  const apiVersion = apiVersionOf(of);
  if (object.apiVersion === apiVersion && object.kind === of.kind) return object;
  const stamped = { ...object, apiVersion, kind: of.kind };
  return of.storage === AUTOSCALER ? { ...stamped, ...autoscalerV1(object) } : stamped;
}

/** The object in the version it is stored in. */
export function convertToStorage(object: ApiObject, of: ResourceDefinition): ApiObject {
  if (of.version === of.storageVersion) return object;
  const stamped = { ...object, apiVersion: apiVersionOf({ group: of.group, version: of.storageVersion }) };
  return of.storage === AUTOSCALER ? { ...stamped, ...autoscalerV2(object) } : stamped;
}

const AUTOSCALER = "autoscaling/horizontalpodautoscalers";

function isCpu(metric: unknown): boolean {
  return textIn(metric, "type") === "Resource" && textIn(metric, "resource", "name") === "cpu";
}

/** autoscaling/v1 knows only the CPU target; other metrics do not show there. */
function autoscalerV1(object: ApiObject): Tree {
  const { metrics: _1, behavior: _2, ...spec } = treeIn(object, "spec");
  const target = numberIn(listIn(object, "spec", "metrics").find(isCpu), "resource", "target", "averageUtilization");
  const { currentMetrics: _3, conditions: _4, ...status } = treeIn(object, "status");
  const current = numberIn(listIn(object, "status", "currentMetrics").find(isCpu), "resource", "current", "averageUtilization");
  return {
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    status: {
      currentReplicas: 0,
      desiredReplicas: 0,
      ...status,
      ...(current === undefined ? {} : { currentCPUUtilizationPercentage: current }),
    },
  };
}

function autoscalerV2(object: ApiObject): Tree {
  const { targetCPUUtilizationPercentage: target, ...spec } = treeIn(object, "spec");
  const cpu = { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: target } } };
  const status = object["status"];
  return { spec: { ...spec, ...(target === undefined ? {} : { metrics: [cpu] }) }, ...(isTree(status) ? { status } : {}) };
}
