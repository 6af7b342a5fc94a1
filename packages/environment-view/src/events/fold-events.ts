import { hash } from "node:crypto";

import { aboutOf, type EventTarget } from "@binnacle/graph";
import { encodeKey, type KubeObject } from "@binnacle/kube";

import { eventFactsOf, foldFacts, type EventFacts } from "./event-facts.ts";

/** Names are shorter; what an Event is about is written by whoever may write Events, and checked by nobody. */
const MOST_NAME_CHARS = 253;

/** What was reported of one object for one reason. */
export interface FoldedEvent {
  /** The same as long as any of its Events is there. */
  readonly id: string;
  readonly about: EventTarget;
  readonly facts: EventFacts;
}

/**
 * Events that say the same of the same object as one. In no order.
 *
 * @param asked they were asked for as those about this; absent: what names no object is left out
 */
export function foldEvents(events: Iterable<KubeObject>, asked?: EventTarget): FoldedEvent[] {
  const folded = new Map<string, FoldedEvent>();
  for (const event of events) {
    const about = boundedTarget(aboutOf(event) ?? asked);
    if (about === undefined) continue;
    const facts = eventFactsOf(event);
    const key = keyOfFacts(about, facts);
    const before = folded.get(key);
    folded.set(key, { id: before?.id ?? idOf(key), about, facts: before === undefined ? facts : foldFacts(before.facts, facts) });
  }
  return [...folded.values()];
}

/** Newest first; of equals always in the same order. What has no time comes last. */
export function newestFirst(one: FoldedEvent, other: FoldedEvent): number {
  return (other.facts.lastMs ?? 0) - (one.facts.lastMs ?? 0) || (one.id < other.id ? -1 : 1);
}

function keyOfFacts({ uid, key }: EventTarget, { type, reason, source, message }: EventFacts): string {
  return JSON.stringify([uid, uid === "" ? encodeKey(key) : "", type, reason, source, message]);
}

/** Short, and nothing can be read from it. */
function idOf(key: string): string {
  return hash("sha256", key, "base64url").slice(0, 16);
}

function boundedTarget(target: EventTarget | undefined): EventTarget | undefined {
  if (target === undefined) return undefined;
  const { key, uid } = target;
  const bounded = (text: string): string => text.slice(0, MOST_NAME_CHARS);
  const { group, kind, namespace, name } = key;
  return {
    key: { group: bounded(group), kind: bounded(kind), namespace: bounded(namespace), name: bounded(name) },
    uid: bounded(uid),
  };
}
