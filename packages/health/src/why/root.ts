import { quoted, type Words } from "@binnacle/words";

import { timeOf } from "../age.ts";
import { isSinceAssumed } from "../assumed-since.ts";
import type { HealthRef } from "../health-result.ts";
import type { HealthStatus } from "../health-status.ts";
import type { RuleInput } from "../verdict.ts";
import type { EventFact } from "../event-fact.ts";
import type { Explanation } from "./explanation.ts";
import type { WhyLink } from "./why.ts";

/** An object on the way down, and how it is. */
export interface Subject {
  readonly input: RuleInput;
  readonly ref: HealthRef;
  readonly status: HealthStatus;
  readonly reason: string;
  readonly message: Words;
  /** The field or the condition that says so, of a custom resource. */
  readonly because?: Words;
  /** As written; may be empty. */
  readonly since: string;
  /** On its way for longer than it should be. */
  readonly stale: boolean;
}

/** The root reason below an object. */
export interface Root {
  /** Steps below the object, nearest first; empty when the object itself is the root. */
  readonly links: readonly WhyLink[];
  /** The root reason in words. */
  readonly explanation: Explanation;
  /** Times at which it was bad, beyond those of containers and events among the links; as written. */
  readonly at: readonly string[];
  /** What is to blame, when that is not the object at the end of the links (root-key.ts). */
  readonly key?: string;
}

/** The object itself is the root. */
export function ownRoot(explanation: Explanation, at: readonly string[] = []): Root {
  return { links: [], explanation, at };
}

/** An event is the root, since its episode began. */
export function eventRoot(event: EventFact, explanation: Explanation, subject: Subject): Root {
  return { links: [eventLink(event, explanation, subject)], explanation, at: [event.beganAt] };
}

/** Link of an event about a subject or something below it. */
function eventLink(event: EventFact, explanation: Pick<Explanation, "reason" | "message">, subject: Subject): WhyLink {
  return {
    level: "event",
    ref: event.about,
    ...(event.container === "" ? {} : { container: event.container }),
    status: subject.status,
    reason: explanation.reason,
    message: explanation.message,
    ...sinceOf(event.beganAt),
  };
}

/** Link of an event in its own words. */
export function reportLink(event: EventFact, subject: Subject): WhyLink {
  return eventLink(event, { reason: event.reason, message: quoted(event.message) }, subject);
}

/** Link of a resource, in the words of its health. */
export function resourceLink({ ref, status, reason, message, since }: Subject): WhyLink {
  return { level: "resource", ref, status, reason, message, ...sinceOf(since) };
}

/** Since when a subject is known to be so; empty when nothing says so. */
export function knownSince(subject: Subject): string {
  return isSinceAssumed(subject, subject.input.object) ? "" : subject.since;
}

/** `since` of a link: absent when it is not a time. */
export function sinceOf(since: string): { readonly since?: string } {
  return since === "" || Number.isNaN(timeOf(since)) ? {} : { since };
}
