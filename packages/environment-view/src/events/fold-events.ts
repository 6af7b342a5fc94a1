import { hash } from "node:crypto";

import { aboutOf, type EventTarget } from "@binnacle/graph";
import { encodeKey, type KubeObject } from "@binnacle/kube";

import { eventFactsOf, foldFacts, type EventFacts } from "./event-facts.ts";

/** Names are shorter; any writer of Events chooses what an Event is about, without validation. */
const MAX_NAME_CHARS = 253;
/** 96 bits. */
const ID_CHARS = 16;

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
 * @param target the Events were queried by this object; absent: an Event that names no object is left out
 */
export function foldEvents(events: Iterable<KubeObject>, target?: EventTarget): FoldedEvent[] {
  const folded = new Map<string, FoldedEvent>();
  for (const event of events) {
    const one = eventOf(event) ?? (target && named(boundedTarget(target), eventFactsOf(event)));
    if (one === undefined) continue;
    const before = folded.get(one.id);
    folded.set(one.id, before === undefined ? one : { ...one, facts: foldFacts(before.facts, one.facts) });
  }
  return [...folded.values()];
}

/** Cached by object: a table that is open folds all Events again each second. */
const known = new WeakMap<KubeObject, FoldedEvent>();

/** An Event by itself; `undefined`: it names no object. */
function eventOf(event: KubeObject): FoldedEvent | undefined {
  const before = known.get(event);
  if (before !== undefined) return before;
  const about = aboutOf(event);
  if (about === undefined) return undefined;
  const one = named(boundedTarget(about), eventFactsOf(event));
  known.set(event, one);
  return one;
}

/** Newest first; of equals always in the same order. What has no time comes last. */
export function newestFirst(one: FoldedEvent, other: FoldedEvent): number {
  return (other.facts.lastMs ?? 0) - (one.facts.lastMs ?? 0) || (one.id < other.id ? -1 : 1);
}

/** Named by what makes it one: short, and nothing can be read from it. */
function named(about: EventTarget, facts: EventFacts): FoldedEvent {
  const { uid, key } = about;
  const { type, reason, source, message } = facts;
  const whole = JSON.stringify([uid, uid === "" ? encodeKey(key) : "", type, reason, source, message]);
  return { id: hash("sha256", whole, "base64url").slice(0, ID_CHARS), about, facts };
}

function boundedTarget({ key, uid }: EventTarget): EventTarget {
  const bounded = (text: string): string => text.slice(0, MAX_NAME_CHARS);
  const { group, kind, namespace, name } = key;
  return {
    key: { group: bounded(group), kind: bounded(kind), namespace: bounded(namespace), name: bounded(name) },
    uid: bounded(uid),
  };
}
