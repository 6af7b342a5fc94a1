/** Kubernetes: `validation.IsQualifiedName` and `IsValidLabelValue` of k8s.io/apimachinery. */
const NAME = /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;
const MAX_PREFIX = 253;

/** A label or an annotation; without a value it is removed. */
export interface MetadataEntry {
  readonly annotation: boolean;
  readonly key: string;
  readonly value?: string | undefined;
}

/** What is wrong with a label or an annotation, as a sentence of `action/`; `undefined`: nothing. Sizes of annotations are for the API server to judge. */
export function entryProblem({ annotation, key, value = "" }: MetadataEntry): "action/label-key" | "action/label-value" | undefined {
  const at = key.indexOf("/");
  const prefix = at < 0 ? undefined : key.slice(0, at);
  if (!NAME.test(key.slice(at + 1))) return "action/label-key";
  if (prefix !== undefined && (prefix.length > MAX_PREFIX || !PREFIX.test(annotation ? prefix.toLowerCase() : prefix)))
    return "action/label-key";
  return !annotation && value !== "" && !NAME.test(value) ? "action/label-value" : undefined;
}
