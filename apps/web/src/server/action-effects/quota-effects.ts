import { fieldsAt, listAt, quantityOf, textOf, type Fields, type KubeObject } from "@binnacle/kube";
import { ActionEffectKind } from "@binnacle/proto/dashboard";
import { words } from "@binnacle/words";

import type { PlannedObject } from "../action-plans/action-plan.ts";
import type { ActionEffect } from "./action-effect.ts";
import { listBeside, QUOTAS } from "./listed-objects.ts";

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
  return listed.items.flatMap((quota) => effectsOfQuota(quota, added));
}

function effectsOfQuota(quota: KubeObject, added: Added): readonly ActionEffect[] {
  const { name } = quota.metadata;
  const kind = ActionEffectKind.QUOTA;
  const lines = usesOf(quota, added);
  const isOfScopes = isScoped(quota);
  // Whether the pods are of the scopes is decided by the API server alone.
  const short = isOfScopes ? [] : lines.filter(({ isShort }) => isShort);
  if (short.length > 0)
    return short.map(({ resource, used, hard, needed = 0 }) => ({
      kind,
      words: words("action/quota-short", { name, resource, used, hard, needed: amountText(resource, needed) }),
      isObstacle: true,
    }));
  const uses = lines.slice(0, MAX_USES).map(({ resource, used, hard, needed }) => {
    const facts = { resource, used, hard };
    // Of a quota of scopes all is not known, which its sentence has.
    return needed === undefined && !isOfScopes ? words("action/quota-use-unknown", facts) : words("action/quota-use", facts);
  });
  return uses.length === 0 ? [] : [{ kind, words: words(isOfScopes ? "action/quota-of-scopes" : "action/quota", { name, uses }) }];
}

interface Use {
  readonly resource: string;
  readonly used: string;
  readonly hard: string;
  /** Absent: not known, since a container does not request it and a LimitRange of the namespace may set it. */
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
    const isShort = most !== undefined && now !== undefined && needed !== undefined && now + needed > most;
    return [{ resource, used: textOf(used), hard: textOf(hard), needed, isShort }];
  });
}

/** How much of a resource of a quota is added; `undefined`: the action adds none. @see Kubernetes documentation, "Resource Quotas" */
function needOf(resource: string, { pods, jobs, spec }: Added): { readonly needed: number | undefined } | undefined {
  if (resource === "count/jobs.batch") return jobs === 0 ? undefined : { needed: jobs };
  // A quota that is exceeded already refuses only what adds to it.
  if (pods === 0) return undefined;
  if (resource === "pods" || resource === "count/pods") return { needed: pods };
  const [list, name] = /^(requests|limits)\.(cpu|memory|ephemeral-storage)$/.exec(resource)?.slice(1) ?? ["requests", resource];
  if (list === undefined || (name !== "cpu" && name !== "memory" && name !== "ephemeral-storage")) return undefined;
  const ofPod = amountOfPod(fieldsAt(fieldsAt(spec, "template"), "spec"), list, name);
  return { needed: ofPod === undefined ? undefined : ofPod * pods };
}

/** The containers together; init containers only where one needs more than these. `undefined`: a container does not say. */
function amountOfPod(spec: Fields, list: string, name: string): number | undefined {
  const of = (container: unknown): number | undefined => quantityOf(fieldsAt(fieldsAt(container, "resources"), list)[name]);
  let sum = 0;
  for (const container of listAt(spec, "containers")) {
    const amount = of(container);
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return Math.max(sum, ...listAt(spec, "initContainers").map((container) => of(container) ?? 0));
}

function isScoped(quota: KubeObject): boolean {
  const spec = fieldsAt(quota, "spec");
  return listAt(spec, "scopes").length > 0 || Object.keys(fieldsAt(spec, "scopeSelector")).length > 0;
}

function amountText(resource: string, amount: number): string {
  const isBytes = resource.endsWith("memory") || resource.endsWith("storage");
  return isBytes ? `${Math.ceil(amount / 2 ** 20)}Mi` : String(Math.round(amount * 1_000) / 1_000);
}
