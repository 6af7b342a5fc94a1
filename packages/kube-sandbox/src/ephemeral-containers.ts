import type { ApiObject } from "./api-object.ts";
import type { StatusCause } from "./api-error.ts";
import { isSame, listIn, textIn, treeIn } from "./json-tree.ts";

/** Fields that a container of a Pod has and an ephemeral one may not (Kubernetes `allowedEphemeralContainerFields`). */
const NOT_ALLOWED = ["ports", "resources", "resizePolicy", "restartPolicy", "livenessProbe", "readinessProbe", "startupProbe", "lifecycle"];
/** RFC 1123 label. */
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const FIELD = "spec.ephemeralContainers";

/**
 * What the API server refuses of a pod's ephemeral containers, in its words: on create any, later whatever is no addition.
 *
 * @param old the stored pod; undefined on create
 */
export function ephemeralCauses(pod: ApiObject, old: ApiObject | undefined): StatusCause[] {
  const containers = listIn(pod, "spec", "ephemeralContainers");
  if (old === undefined) return containers.length === 0 ? [] : [forbidden(FIELD, "cannot be set on create")];
  const others = new Set(["containers", "initContainers"].flatMap((list) => listIn(pod, "spec", list).map((one) => textIn(one, "name"))));
  const seen = new Set(others);
  const causes = containers.flatMap((container, index) => {
    const name = textIn(container, "name") ?? "";
    const isTaken = seen.has(name);
    seen.add(name);
    return containerCauses(container, `${FIELD}[${index}]`, { isTaken, others });
  });
  for (const before of listIn(old, "spec", "ephemeralContainers")) {
    const name = textIn(before, "name") ?? "";
    const after = containers.find((one) => textIn(one, "name") === name);
    if (after === undefined) causes.push(forbidden(FIELD, `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`));
    else if (!isSame(before, after))
      causes.push(forbidden(FIELD, `existing ephemeral containers ${JSON.stringify(name)} may not be changed\n`));
  }
  return causes;
}

function containerCauses(
  container: unknown,
  field: string,
  { isTaken, others }: { readonly isTaken: boolean; readonly others: ReadonlySet<string | undefined> },
): StatusCause[] {
  const [name, image, target] = ["name", "image", "targetContainerName"].map((key) => textIn(container, key) ?? "");
  const causes: StatusCause[] = [];
  if (name === undefined || name === "") causes.push({ reason: "FieldValueRequired", message: "Required value", field: `${field}.name` });
  else if (!LABEL.test(name)) {
    const message = `Invalid value: ${JSON.stringify(name)}: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;
    causes.push({ reason: "FieldValueInvalid", message, field: `${field}.name` });
  } else if (isTaken)
    causes.push({ reason: "FieldValueDuplicate", message: `Duplicate value: ${JSON.stringify(name)}`, field: `${field}.name` });
  if (image === "") causes.push({ reason: "FieldValueRequired", message: "Required value", field: `${field}.image` });
  if (target !== "" && !others.has(target))
    causes.push({ reason: "FieldValueNotFound", message: `Not found: ${JSON.stringify(target)}`, field: `${field}.targetContainerName` });
  for (const key of NOT_ALLOWED) {
    const value = treeIn({ container }, "container")[key];
    // An empty value is the same as none, as in Go.
    if (value !== undefined && value !== null && !isSame(value, {}) && !isSame(value, []))
      causes.push(forbidden(`${field}.${key}`, "cannot be set for an Ephemeral Container"));
  }
  return causes;
}

function forbidden(field: string, text: string): StatusCause {
  return { reason: "FieldValueForbidden", message: `Forbidden: ${text}`, field };
}
