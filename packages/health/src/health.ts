import { quoted, words } from "@binnacle/words";
import { isFields, listAt, numberAt, textAt, textOf, type Fields, type KubeObject } from "@binnacle/kube";

import { isOlderThan, notAfterNow, STALE_MS, timeOf, writtenTime } from "./age.ts";
import { withCertificates } from "./certificate/certificate-verdict.ts";
import { shownWord } from "./bounded-text.ts";
import { boundedWords, IN_A_SENTENCE, FULL_TEXT } from "./bounded-words.ts";
import { staleGeneration } from "./generation.ts";
import type { HealthCause, HealthContext, HealthResult } from "./health-result.ts";
import { knowledgeOf, ruleInputOf, type Knowledge } from "./rule-input.ts";
import { ruleOf } from "./rule-registry.ts";
import { progressing, unknown, type RuleInput, type Verdict } from "./verdict.ts";

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
    const problem = error instanceof Error ? quoted(error.message) : words("health/unknown-error");
    const message = words("health/rule-failed", { error: problem });
    return { ...unknown("RuleFailed", boundedWords(message, FULL_TEXT)), stale: false, causes: [] };
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
  return withCertificates(input, registered.rule(input));
}

/** A deletion began when it was requested; the timestamp is the end of its grace period. */
function terminating(metadata: Fields, deadline: string): Verdict {
  const graceMs = (numberAt(metadata, "deletionGracePeriodSeconds") ?? 0) * 1_000;
  const since = graceMs > 0 ? writtenTime(timeOf(deadline) - graceMs) || deadline : deadline;
  const finalizers = listAt(metadata, "finalizers").map(textOf).filter(Boolean);
  return { ...progressing("Terminating", words("health/terminating", { count: finalizers.length, finalizers }), since), dueAt: deadline };
}

function resultOf(verdict: Verdict, input: RuleInput): HealthResult {
  const since = notAfterNow(verdict.since ?? "", input.now);
  const known = since !== "" && !Number.isNaN(timeOf(since));
  const stale = verdict.status === "Progressing" && known && isOlderThan(verdict.dueAt ?? since, STALE_MS, input.now) === true;
  const { status, message, causes = [], moreCauses = 0 } = verdict;
  return {
    status,
    reason: shownWord(verdict.reason),
    message: boundedWords(message, FULL_TEXT),
    ...(verdict.because === undefined ? {} : { because: boundedWords(verdict.because, IN_A_SENTENCE) }),
    ...(known ? { since } : {}),
    stale,
    causes: causes.map((cause) => shownCause(cause, input.now)),
    ...(moreCauses > 0 ? { moreCauses } : {}),
  };
}

function shownCause(cause: HealthCause, now: number | undefined): HealthCause {
  const since = cause.since === undefined ? {} : { since: notAfterNow(cause.since, now) };
  return { ...cause, ...since, reason: shownWord(cause.reason), message: boundedWords(cause.message, FULL_TEXT) };
}
