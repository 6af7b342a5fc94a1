import { isFields, listAt, textAt, textOf, type Fields, type KubeObject } from "@binnacle/kube";

import { isOlderThan, MINUTE_MS } from "./age.ts";
import { staleGeneration } from "./generation.ts";
import type { HealthContext, HealthResult } from "./health-result.ts";
import { knowledgeOf, ruleInputOf, type Knowledge } from "./rule-input.ts";
import { ruleOf } from "./rule-registry.ts";
import { progressing, unknown, type RuleInput, type Verdict } from "./verdict.ts";

const STALE_MS = 10 * MINUTE_MS;

/** Argo CD's finalizer on hooks: it is taken off when the hook ends, so that deleting says nothing. */
const HOOK_FINALIZER = "argocd.argoproj.io/hook-finalizer";

/**
 * How well a resource is, and why not. Pure: reads, never writes, never throws; what is not known about the world is not
 * assumed (see HealthContext).
 *
 * @param context `now` (ISO 8601 or Date) and the related objects; left out by an untyped caller = nothing known
 * @returns `null` = no opinion: the kind has no health of its own, and it counts nowhere
 */
export function health(resource: KubeObject, context: HealthContext): HealthResult | null {
  const object: unknown = resource;
  return isFields(object) ? healthWith(object, () => knowledgeOf(context)) : null;
}

/** `health` of an object of any shape, for callers that have read the context already. */
export function healthWith(object: Fields, knowledge: () => Knowledge): HealthResult | null {
  if (textAt(object, "kind") === "") return null;
  try {
    const input = ruleInputOf(object, knowledge());
    const verdict = judge(input);
    return verdict === null ? null : resultOf(verdict, input);
  } catch (error) {
    // A bug of a rule must not take the view down; it is shown as what it is.
    const message = `The health rule failed: ${error instanceof Error ? error.message : "unknown error"}`;
    return { ...unknown("RuleFailed", message), stale: false, causes: [] };
  }
}

function judge(input: RuleInput): Verdict | null {
  const deleting = textAt(input.metadata, "deletionTimestamp");
  if (deleting !== "" && !listAt(input.metadata, "finalizers").includes(HOOK_FINALIZER)) return terminating(input.metadata, deleting);
  const registered = ruleOf(input.group, input.kind);
  if (registered === undefined) return null;
  if (registered.generation === "before") {
    const stale = staleGeneration(input, "ignore");
    if (stale !== null) return stale;
  }
  return registered.rule(input);
}

function terminating(metadata: Fields, since: string): Verdict {
  const finalizers = listAt(metadata, "finalizers").map(textOf).filter(Boolean);
  const waits =
    finalizers.length === 0 ? "" : `; waits for ${finalizers.length === 1 ? "finalizer" : "finalizers"} ${finalizers.join(", ")}`;
  return progressing("Terminating", `Pending deletion${waits}`, since);
}

function resultOf(verdict: Verdict, input: RuleInput): HealthResult {
  const since = verdict.since ?? "";
  const known = since !== "" && !Number.isNaN(Date.parse(since));
  const stale = verdict.status === "Progressing" && known && isOlderThan(since, STALE_MS, input.now) === true;
  const { status, reason, message, causes = [] } = verdict;
  return { status, reason, message, ...(known ? { since } : {}), stale, causes };
}
