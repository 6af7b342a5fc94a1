import type { ApiObject } from "./api-object.ts";
import { badRequest } from "./api-error.ts";
import { numberIn, textIn, valueIn } from "./json-tree.ts";
import type { ResourceDefinition } from "./resource-definition.ts";

/** Fields beyond name and namespace that can be selected by, per table of the store. */
const SELECTABLE: Readonly<Record<string, readonly string[]>> = {
  "/pods": [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
  ],
  "/events": [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
  "/secrets": ["type"],
  "/namespaces": ["status.phase"],
  "/nodes": ["spec.unschedulable"],
  "/services": ["spec.clusterIP", "spec.type"],
  "apps/replicasets": ["status.replicas"],
  "batch/jobs": ["status.successful"],
};

/**
 * Parses `fieldSelector`: `a=b,c!=d`.
 *
 * @throws ApiError 400 for a field the resource cannot be selected by
 */
export function parseFieldSelector(text: string, of: ResourceDefinition): (object: ApiObject) => boolean {
  const allowed = new Set(["metadata.name", "metadata.namespace", ...(SELECTABLE[of.storage] ?? [])]);
  const tests = text
    .split(",")
    .filter((part) => part.trim() !== "")
    .map((part) => {
      const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(part.trim());
      if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${part}'`);
      const [, named = "", operator, wanted = ""] = match;
      const field = named.trim();
      if (!allowed.has(field)) {
        throw badRequest(
          `Unable to find "${of.group === "" ? of.version : `${of.group}/${of.version}`}, Resource=${of.plural}" that match label selector "", field selector "${text}": field label not supported: ${field}`,
        );
      }
      return (object: ApiObject) => (fieldText(object, field, of.storage) === wanted.trim()) === (operator !== "!=");
    });
  return (object) => tests.every((test) => test(object));
}

function fieldText(object: ApiObject, field: string, storage: string): string {
  if (storage === "/events" && field === "source") return textIn(object, "source", "component") ?? "";
  if (storage === "batch/jobs" && field === "status.successful") return String(numberIn(object, "status", "succeeded") ?? 0);
  const value = valueIn(object, ...field.split("."));
  if (value === undefined) return ["spec.hostNetwork", "spec.unschedulable"].includes(field) ? "false" : "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
