import { fieldsAt, listAt, quantityOf, textAt, textOf, type Fields, type KubeObject } from "@binnacle/kube";
import { ActionEffectKind } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";

import type { PlannedObject } from "../action-plans/action-plan.ts";
import type { ActionEffect } from "./action-effect.ts";
import { LIMIT_RANGES, listBeside, QUOTAS } from "./listed-objects.ts";
import { countsPods, hasComputeResource, isScoped, type ScopeFacts } from "./quota-scopes.ts";

/** What an action adds to a namespace. */
export interface Added {
  readonly pods: number;
  /** How many Jobs are created: 0 or 1. */
  readonly jobs: number;
  /** Of the workload: with the template of its pods. */
  readonly spec: Fields;
}

/** More uses would make the line too long to read. */
const MAX_USES = 6;

/** The ResourceQuotas that new pods count against: what is in the way, else how much of each is used. */
export async function quotaEffects(of: PlannedObject, added: Added): Promise<readonly ActionEffect[]> {
  const listed = await listBeside(of, { kind: QUOTAS });
  if ("why" in listed) return [{ kind: ActionEffectKind.NOT_KNOWN, words: words("action/quota-unknown", { why: listed.why }) }];
  let defaults: Promise<boolean | undefined> | undefined;
  const facts = { hasDefaults: () => (defaults ??= hasDefaults(of)) };
  return (await Promise.all(listed.items.map((quota) => effectsOfQuota(quota, added, facts)))).flat();
}

/** Whether a LimitRange of the namespace gives containers CPU or memory by default; `undefined`: it is not known. */
async function hasDefaults(of: PlannedObject): Promise<boolean | undefined> {
  const listed = await listBeside(of, { kind: LIMIT_RANGES });
  if ("why" in listed) return undefined;
  const limits = listed.items.flatMap((range) => listAt(fieldsAt(range, "spec"), "limits"));
  return limits.some((each) => ["default", "defaultRequest"].some((list) => hasComputeResource(fieldsAt(each, list))));
}

async function effectsOfQuota(quota: KubeObject, added: Added, facts: ScopeFacts): Promise<readonly ActionEffect[]> {
  const { name } = quota.metadata;
  const kind = ActionEffectKind.QUOTA;
  // A quota with scopes counts pods alone.
  const lines = usesOf(quota, isScoped(quota) ? { ...added, jobs: 0 } : added);
  if (lines.length === 0) return [];
  const isCounted = await countsPods(quota, podOf(added), facts);
  if (isCounted === false) return [];
  const short = isCounted === undefined ? [] : lines.filter(({ isShort }) => isShort);
  if (short.length > 0)
    return short.map(({ resource, used, hard, needed = 0 }) => ({
      kind,
      words: words("action/quota-short", { name, resource, used, hard, needed: amountText(resource, needed) }),
      isObstacle: true,
    }));
  const uses = lines.slice(0, MAX_USES).map(({ resource, used, hard, needed }) => {
    const use = { resource, used, hard };
    // Where it is not known whether pods are counted, the sentence of the quota says so.
    return needed === undefined && isCounted !== undefined ? words("action/quota-use-unknown", use) : words("action/quota-use", use);
  });
  return [{ kind, words: words(isCounted === undefined ? "action/quota-of-scopes" : "action/quota", { name, uses }) }];
}

/** Specification of the pods, before admission. */
function podOf({ spec }: Added): Fields {
  return fieldsAt(fieldsAt(spec, "template"), "spec");
}

interface Use {
  readonly resource: string;
  readonly used: string;
  readonly hard: string;
  /** Absent: not known, since a container has neither request nor limit of it and a LimitRange may set one. */
  readonly needed: number | undefined;
  readonly isShort: boolean;
}

/** Only of what the action adds to. */
function usesOf(quota: KubeObject, added: Added): readonly Use[] {
  const status = fieldsAt(quota, "status");
  return Object.entries(fieldsAt(status, "hard")).flatMap(([resource, hard]) => {
    const needs = needOf(resource, added);
    if (needs === undefined) return [];
    const used = fieldsAt(status, "used")[resource] ?? "0";
    const [most, now] = [quantityOf(hard), quantityOf(used)];
    const { needed } = needs;
    const isShort = most !== undefined && now !== undefined && needed !== undefined && exceeds(now + needed, most);
    return [{ resource, used: textOf(used), hard: textOf(hard), needed, isShort }];
  });
}

/** How much of a resource of a quota is added; `undefined`: the action adds none. @see Kubernetes documentation, "Resource Quotas" */
function needOf(resource: string, added: Added): { readonly needed: number | undefined } | undefined {
  const { pods, jobs } = added;
  if (resource === "count/jobs.batch") return jobs === 0 ? undefined : { needed: jobs };
  // A quota that is exceeded already refuses only what adds to it.
  if (pods === 0) return undefined;
  if (resource === "pods" || resource === "count/pods") return { needed: pods };
  const [list, name] = /^(requests|limits)\.(cpu|memory|ephemeral-storage)$/.exec(resource)?.slice(1) ?? ["requests", resource];
  if (list === undefined || (name !== "cpu" && name !== "memory" && name !== "ephemeral-storage")) return undefined;
  const ofPod = amountOfPod(podOf(added), list, name);
  return { needed: ofPod === undefined ? undefined : ofPod * pods };
}

/** Amounts are sums of decimal fractions, so equal ones may differ in the last digits. */
function exceeds(amount: number, most: number): boolean {
  return amount - most > Math.abs(most) * 1e-9;
}

/**
 * Containers and sidecars together; an init container only where it needs more, with the sidecars that run before it. `undefined`: a container
 * does not say. @see Kubernetes documentation, "Sidecar Containers", "Resource sharing within containers"
 */
function amountOfPod(spec: Fields, list: string, name: string): number | undefined {
  const of = (container: unknown): number | undefined => {
    const resources = fieldsAt(container, "resources");
    const own = quantityOf(fieldsAt(resources, list)[name]);
    // The API server takes a limit for a request that is absent.
    return own === undefined && list === "requests" ? quantityOf(fieldsAt(resources, "limits")[name]) : own;
  };
  let sidecars = 0;
  let mostOfInit = 0;
  for (const container of listAt(spec, "initContainers")) {
    const amount = of(container);
    if (textAt(container, "restartPolicy") === "Always") {
      if (amount === undefined) return undefined;
      sidecars += amount;
    } else mostOfInit = Math.max(mostOfInit, sidecars + (amount ?? 0));
  }
  let sum = sidecars;
  for (const container of listAt(spec, "containers")) {
    const amount = of(container);
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return Math.max(sum, mostOfInit);
}

function amountText(resource: string, amount: number): string {
  const isBytes = resource.endsWith("memory") || resource.endsWith("storage");
  return isBytes ? `${Math.ceil(amount / 2 ** 20)}Mi` : String(Math.round(amount * 1_000) / 1_000);
}
