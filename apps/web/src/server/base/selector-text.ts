import { fieldsAt, isFields, listAt, listOf, textAt, type KubeObject } from "@binnacle/kube";

/** The text form of what a workload selects its pods by; `undefined` when it selects nothing. @see Kubernetes concepts, "Labels and Selectors" */
export function selectorTextOf(workload: KubeObject): string | undefined {
  const selector = fieldsAt(fieldsAt(workload, "spec"), "selector");
  const equal = Object.entries(fieldsAt(selector, "matchLabels")).map(([key, value]) => `${key}=${String(value)}`);
  const others = listAt(selector, "matchExpressions").filter(isFields).map(requirement);
  const all = [...equal, ...others].filter((text) => text !== "");
  return all.length === 0 ? undefined : all.join(",");
}

function requirement(one: Readonly<Record<string, unknown>>): string {
  const key = textAt(one, "key");
  const values = listOf(one["values"]).join(",");
  switch (textAt(one, "operator")) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return "";
  }
}
