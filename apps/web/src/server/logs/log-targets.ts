import { fieldsAt, namespacedKind, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { KubeClientError, type KubeClient, type ViewScope } from "@binnacle/environment-view";
import type { LogTarget } from "@binnacle/pod-logs";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";

import { namedResource } from "../resource/named-resource.ts";
import { requireInScope } from "../environment/open-environment.ts";
import { MessageFault } from "../base/message-fault.ts";
import { selectorTextOf } from "../base/selector-text.ts";

/** Kinds that select their pods by labels. */
const SELECTING: ReadonlySet<string> = new Set([
  "apps/deployments",
  "apps/statefulsets",
  "apps/daemonsets",
  "apps/replicasets",
  "/replicationcontrollers",
  "batch/jobs",
]);
/** Workloads that are read at a time to learn their selectors. */
const READS = 8;
/** Jobs of a CronJob: more than its history keeps by default. */
const MAX_JOBS = 20;
const JOB_PAGE = 500;

const JOBS = namespacedKind({ group: "batch", version: "v1", kind: "Job", resource: "jobs" });

/** The part of an `OpenEnvironment` that says whose logs there are. */
export interface LogsEnvironment {
  readonly scope: ViewScope;
  readonly environment: { readonly name: string };
  readonly access: { readonly client: Pick<KubeClient, "get" | "list"> };
}

/**
 * The pods that are meant, as the viewer: a pod by name, those of a workload by its selector, of a CronJob by its newest twenty Jobs as of now (`followNewJobs` adds later ones);
 * without a ref all pods of the environment's namespaces that its labels select.
 *
 * @throws Fault `invalid_request`, `not_found`; KubeClientError when a workload cannot be read
 */
export async function logTargets(opened: LogsEnvironment, refs: readonly ResourceRef[], signal: AbortSignal): Promise<LogTarget[]> {
  const { scope, environment } = opened;
  if (refs.length === 0) return ofScope(scope);
  const named = refs.map((ref) => {
    const resource = namedResource(ref);
    requireInScope(ref, scope, environment.name);
    return resource;
  });
  const targets: LogTarget[] = [];
  for (let at = 0; at < named.length; at += READS) {
    const found = await Promise.all(named.slice(at, at + READS).map((resource) => ofResource(opened, resource, signal)));
    targets.push(...found.flat());
  }
  return targets;
}

/** The CronJobs among resources: there may be Jobs of them later that there are not now. */
export function cronJobsOf(refs: readonly ResourceRef[]): readonly ResourceRef[] {
  return refs.filter(({ group, resource }) => group === "batch" && resource === "cronjobs");
}

/** Uids of the Jobs that CronJobs own, by name, as the viewer; `undefined` when they cannot be read. */
export async function jobsOf(
  { access }: Pick<LogsEnvironment, "access">,
  cronJobs: readonly ResourceRef[],
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  const namespaces = [...new Set(cronJobs.map(({ namespace }) => namespace))];
  try {
    const lists = await Promise.all(
      namespaces.map(async (namespace) => {
        const names = new Set(cronJobs.filter((each) => each.namespace === namespace).map(({ name }) => name));
        const { items } = await access.client.list({ kind: JOBS, namespace, limit: JOB_PAGE, metadataOnly: true }, signal);
        return items.filter(({ metadata }) => metadata.ownerReferences?.some(({ kind, name }) => kind === "CronJob" && names.has(name)));
      }),
    );
    return new Set(lists.flat().flatMap(({ metadata }) => metadata.uid ?? []));
  } catch (error) {
    if (error instanceof KubeClientError) return undefined;
    throw error;
  }
}

function ofScope(scope: ViewScope): LogTarget[] {
  const labelSelector = scope.labels && labelText(scope.labels.requirements);
  const namespaces = scope.namespaces.length === 0 ? [""] : scope.namespaces;
  return namespaces.map((namespace) => ({ namespace, ...(labelSelector ? { labelSelector } : {}) }));
}

function labelText(requirements: NonNullable<ViewScope["labels"]>["requirements"]): string {
  return requirements
    .map(({ key, operator, values }) => {
      if (operator === "Exists") return key;
      if (operator === "DoesNotExist") return `!${key}`;
      return `${key} ${operator === "In" ? "in" : "notin"} (${values.join(",")})`;
    })
    .join(",");
}

async function ofResource(
  { access }: LogsEnvironment,
  { ref, kind }: { readonly ref: ResourceRef; readonly kind: ResourceKind },
  signal: AbortSignal,
): Promise<LogTarget[]> {
  const { group, resource, namespace, name } = ref;
  if (group === "" && resource === "pods") return [{ namespace, pod: name }];
  const of = `${group}/${resource}`;
  if (!SELECTING.has(of) && of !== "batch/cronjobs")
    throw new MessageFault("invalid_request", words("logs/no-pods-of-kind", { kind: ref.kind || resource }));
  const workload = await access.client.get({ kind, namespace, name }, signal);
  if (SELECTING.has(of)) return bySelector(workload, namespace);
  const { items } = await access.client.list({ kind: JOBS, namespace, limit: JOB_PAGE, metadataOnly: false }, signal);
  const owned = items.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uid === workload.metadata.uid));
  const newest = owned.toSorted((one, other) =>
    (other.metadata.creationTimestamp ?? "").localeCompare(one.metadata.creationTimestamp ?? ""),
  );
  return newest.slice(0, MAX_JOBS).flatMap((job) => bySelector(job, namespace));
}

function bySelector(workload: KubeObject, namespace: string): LogTarget[] {
  const labelSelector = selectorTextOf(workload) ?? mapText(workload);
  return labelSelector === undefined ? [] : [{ namespace, labelSelector }];
}

/** A ReplicationController has a plain map of labels. */
function mapText(workload: KubeObject): string | undefined {
  const entries = Object.entries(fieldsAt(fieldsAt(workload, "spec"), "selector")).filter(([, value]) => typeof value === "string");
  return entries.length === 0 ? undefined : entries.map(([key, value]) => `${key}=${String(value)}`).join(",");
}
