import type { KubeObject } from "@binnacle/kube";

import { boundedWords, IN_A_SENTENCE } from "../bounded-words.ts";
import type { HealthRef } from "../health-result.ts";
import { firstNames } from "../missing-health.ts";
import { explain, noticed } from "./explain.ts";
import { sinceOf } from "./root.ts";
import { keyOfMissing, referenceLink, explainMissing } from "./roots/reference-root.ts";
import type { Why, WhyContext, HealthNotice, MissingRef } from "./why.ts";

/** Holders of a reference that are named; the rest is counted. */
const MAX_NAMED = 3;

/**
 * Why a resource is not well: the chain from it down to the root reason, what to do, since when, and what changed before.
 * Knows less with less in the context, and says so in more general words. Pure: reads, never writes, never throws on any
 * JSON; the order of `related`, `events` and `missing` does not matter.
 *
 * @returns `null` = Healthy or without opinion, and nothing is to be noticed
 */
export function whyOf(resource: KubeObject, context: WhyContext): Why | null {
  try {
    return explain(resource, context)?.why ?? null;
  } catch {
    // A bug of an explainer must not take the view down; the health itself is shown all the same.
    return null;
  }
}

/**
 * Things to know about a resource that do not change its status, gravest first: a Service without ready endpoints, an Ingress
 * or route whose backend is missing or not ready, a controller that publishes no addresses, a budget that allows no disruption, an autoscaler at its maximum, a pod that was restarted often, references to what
 * does not exist. Pure; never throws; the order of `related` and `events` does not matter.
 */
export function noticesOf(resource: KubeObject, context: WhyContext): readonly HealthNotice[] {
  try {
    return noticed(resource, context).map(({ reason, message, nextStep, since }) => ({
      reason,
      message,
      nextStep,
      ...sinceOf(since ?? ""),
    }));
  } catch {
    // As in `whyOf`: no notices are better than no view.
    return [];
  }
}

/**
 * Why a ghost is Missing: it was not created, and which object needs it. The chain has one link, the reference itself, and goes on into what is to
 * make it where that is known.
 *
 * @param referencedBy what refers to it, in any order; may be empty
 */
export function whyMissing(ghost: MissingRef, referencedBy: readonly HealthRef[]): Why {
  const names = [...new Set(referencedBy.map(({ kind, name }) => `${kind} ${name}`))].sort();
  const { reason, ...explanation } = explainMissing(ghost, firstNames(names, MAX_NAMED));
  const [message, nextStep] = [boundedWords(explanation.message, IN_A_SENTENCE), boundedWords(explanation.nextStep, IN_A_SENTENCE)];
  const link = referenceLink(ghost, { reason, message });
  const why = ghost.madeBy?.why ?? null;
  if (why !== null) return { ...why, chain: [link, ...why.chain] };
  return { chain: [link], rootKey: keyOfMissing(ghost), reason, message, nextStep };
}
