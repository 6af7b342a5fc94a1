import { fieldsAt, isFields, type Fields } from "@binnacle/kube";

import { timeOf } from "./age.ts";
import { knownCertificatesOf } from "./certificate/known-certificate.ts";
import { eventOf } from "./event-fact.ts";
import { refOf } from "./health-ref.ts";
import type { RuleInput } from "./verdict.ts";

/** What is known besides the object, in the form that rules take. */
export type Knowledge = Pick<RuleInput, "now" | "related" | "events" | "scope" | "certificates">;

/** The input of a rule; reads, never writes. */
export function ruleInputOf(object: Fields, knowledge: Knowledge): RuleInput {
  const { group, version, kind } = refOf(object);
  return {
    group,
    version,
    kind,
    metadata: fieldsAt(object, "metadata"),
    spec: fieldsAt(object, "spec"),
    status: fieldsAt(object, "status"),
    object,
    now: knowledge.now,
    related: knowledge.related,
    events: knowledge.events,
    scope: knowledge.scope,
    certificates: knowledge.certificates,
  };
}

/** Reads the second argument of `health`, whatever it is: nothing usable = nothing known. */
export function knowledgeOf(context: unknown): Knowledge {
  if (!isFields(context)) return { now: undefined, related: undefined, scope: undefined };
  const { now, related, scope } = { now: context["now"], related: context["related"], scope: context["scope"] };
  const at = now instanceof Date ? now.getTime() : typeof now === "string" ? timeOf(now) : Number.NaN;
  return {
    now: Number.isNaN(at) ? undefined : at,
    related: Array.isArray(related) ? related.filter(isFields) : undefined,
    events: Array.isArray(context["events"]) ? context["events"].filter(isFields).map(eventOf) : undefined,
    certificates: knownCertificatesOf(context["certificates"]),
    scope: scope === "cluster" || scope === "namespaces" ? scope : undefined,
  };
}
