/**
 * Writes data/*.jsonl from a real API server: `kubectl proxy --port P & node scripts/extract-data.ts http://127.0.0.1:P`.
 * One JSON value a line, so that a new Kubernetes version is a readable diff.
 */
import { writeFileSync } from "node:fs";

type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Fields = { [key: string]: Value };

const BASE = process.argv[2] ?? "http://127.0.0.1:8001";

/** What the sandbox serves: path of the group version → resources (with a slash: subresources). */
const SERVED: Readonly<Record<string, string>> = {
  "api/v1":
    "configmaps endpoints events limitranges namespaces namespaces/finalize namespaces/status nodes nodes/status persistentvolumeclaims persistentvolumeclaims/status persistentvolumes persistentvolumes/status pods pods/attach pods/eviction pods/exec pods/log pods/portforward pods/status resourcequotas resourcequotas/status secrets serviceaccounts serviceaccounts/token services services/status",
  "apis/apps/v1":
    "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
  "apis/authentication.k8s.io/v1": "selfsubjectreviews tokenreviews",
  "apis/authorization.k8s.io/v1": "localsubjectaccessreviews selfsubjectaccessreviews selfsubjectrulesreviews subjectaccessreviews",
  "apis/autoscaling/v2": "horizontalpodautoscalers horizontalpodautoscalers/status",
  "apis/autoscaling/v1": "horizontalpodautoscalers horizontalpodautoscalers/status",
  "apis/batch/v1": "cronjobs cronjobs/status jobs jobs/status",
  "apis/coordination.k8s.io/v1": "leases",
  "apis/discovery.k8s.io/v1": "endpointslices",
  "apis/networking.k8s.io/v1": "ingressclasses ingresses ingresses/status networkpolicies",
  "apis/policy/v1": "poddisruptionbudgets poddisruptionbudgets/status",
  "apis/rbac.authorization.k8s.io/v1": "clusterrolebindings clusterroles rolebindings roles",
  "apis/scheduling.k8s.io/v1": "priorityclasses",
  "apis/storage.k8s.io/v1": "storageclasses",
  "apis/apiextensions.k8s.io/v1": "customresourcedefinitions customresourcedefinitions/status",
};
const ROLES =
  /^(cluster-admin|admin|edit|view|system:aggregate-to-(admin|edit|view)|system:basic-user|system:discovery|system:public-info-viewer)$/;

async function fetchFields(path: string): Promise<Fields> {
  const answer = await fetch(`${BASE}/${path}`, { headers: { "user-agent": "extract-data" } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  // The API server answers JSON objects on every path requested here.
  return (await answer.json()) as Fields;
}

function fieldsOf(value: Value | undefined): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

function textOf(value: Value | undefined): string {
  return typeof value === "string" ? value : "";
}

function listOf(value: Value | undefined): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** First sentence of each description, at most 200 characters; everything else unchanged. */
function shorten(value: Value): Value {
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "description" && typeof inner === "string" ? (inner.split(/\.\s/)[0] ?? "").slice(0, 200) : shorten(inner),
    ]),
  );
}

function referencesIn(value: Value): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner.slice("#/components/schemas/".length)] : referencesIn(inner),
  );
}

const schemas: Fields = {};
const resources: Fields[] = [];
const kinds = new Set<string>();
for (const [path, names] of Object.entries(SERVED)) {
  const [prefix, group = "", version = ""] = path === "api/v1" ? ["api", "", "v1"] : path.split("/");
  Object.assign(schemas, fieldsOf(fieldsOf((await fetchFields(`openapi/v3/${path}`))["components"])["schemas"]));
  const wanted = new Set(names.split(" "));
  for (const resource of listOf((await fetchFields(path))["resources"])) {
    if (!wanted.delete(textOf(resource["name"]))) continue;
    const { storageVersionHash: _, ...rest } = resource;
    resources.push({ prefix: prefix ?? "", groupVersion: group === "" ? version : `${group}/${version}`, ...rest });
    kinds.add(`${textOf(resource["group"] ?? group)}/${textOf(resource["version"] ?? version)}/${textOf(resource["kind"])}`);
  }
  if (wanted.size > 0) throw new Error(`${path} does not serve ${[...wanted].join(" ")}`);
}

const kept = new Map<string, Value>();
function keep(name: string): void {
  const schema = schemas[name];
  if (schema === undefined || kept.has(name)) return;
  kept.set(name, shorten(schema));
  referencesIn(schema).forEach(keep);
}
for (const [name, schema] of Object.entries(schemas)) {
  const own = listOf(fieldsOf(schema)["x-kubernetes-group-version-kind"]);
  if (own.length === 1 && own.some((gvk) => kinds.has(`${textOf(gvk["group"])}/${textOf(gvk["version"])}/${textOf(gvk["kind"])}`)))
    keep(name);
}

const roles: Fields[] = [];
for (const kind of ["clusterroles", "clusterrolebindings"]) {
  for (const item of listOf((await fetchFields(`apis/rbac.authorization.k8s.io/v1/${kind}`))["items"])) {
    const { name, labels } = fieldsOf(item["metadata"]);
    if (!ROLES.test(textOf(name))) continue;
    const metadata: Fields = { name: name ?? "", ...(labels === undefined ? {} : { labels }) };
    const aggregated = item["aggregationRule"] === undefined ? {} : { rules: [] };
    roles.push({ kind: kind === "clusterroles" ? "ClusterRole" : "ClusterRoleBinding", ...item, metadata, ...aggregated });
  }
}

function write(file: string, lines: readonly Value[]): void {
  writeFileSync(new URL(`../data/${file}`, import.meta.url), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
write(
  "schemas.jsonl",
  [...kept].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => ({ name, schema })),
);
write("resources.jsonl", resources);
write("cluster-roles.jsonl", roles);
