import { isFields, listOf, textAt, type Fields } from "@binnacle/kube";

import { refOf } from "../health-ref.ts";
import type { HealthRef, HealthScope } from "../health-result.ts";
import type { KnownCertificate } from "../certificate/known-certificate.ts";
import { knowledgeOf } from "../rule-input.ts";
import { withEpisodes } from "./episodes.ts";
import { eventOf, isAbout, type EventFact } from "../event-fact.ts";
import type { Root, Subject } from "./root.ts";
import type { MissingRef, Why } from "./why.ts";

/** Everything that is known besides the resource, in an order that does not depend on the caller's. */
export interface World {
  /** Milliseconds since the epoch; `undefined` = not known. */
  readonly now: number | undefined;
  /** By identity; `undefined` = not known. */
  readonly related: readonly Fields[] | undefined;
  /** How far the caller sees; absent = not known. */
  readonly scope?: HealthScope | undefined;
  /** Of the Secrets that the resource names; absent = not known. */
  readonly certificates?: readonly KnownCertificate[] | undefined;
  /** Newest first. */
  readonly events: readonly EventFact[];
  /** By identity. */
  readonly missing: readonly MissingRef[];
  /** Identities of the objects on the way down to here, so that a ring of owners ends. */
  readonly trail: readonly string[];
  /** Whether something above has taken too long, so that no next step is to wait (root-of.ts). */
  readonly late?: boolean;
  /** Goes on into another object: its link, and what is below it. `null` when the way has been there already. */
  readonly follow: (object: Fields, world: World) => Root | null;
}

/** Looks for the root reason below objects of one kind; `null` when there is nothing better than the object's own words. */
export type Explainer = (subject: Subject, world: World) => Root | null;

/** Reads the second argument of `whyOf`, whatever it is. */
export function worldOf(context: unknown, follow: World["follow"]): World {
  const { now, related, scope, certificates } = knowledgeOf(context);
  const fields = isFields(context) ? context : {};
  const events = withEpisodes(listOf(fields["events"]).filter(isFields).map(eventOf));
  return {
    now,
    scope,
    certificates,
    related: related === undefined ? undefined : byText(related, identityOf),
    events: byText(events, textOfEvent).sort((left, right) => compare(right.lastAt, left.lastAt)),
    missing: byText(listOf(fields["missing"]).filter(isFields).map(missingOf).filter(isNamed), textOfRef),
    trail: [],
    follow,
  };
}

/** Events about an object, newest first. */
export function eventsAbout(ref: HealthRef, world: World): EventFact[] {
  return world.events.filter((event) => isAbout(event, ref));
}

/** The newest warning about an object with one of these reasons. */
export function warningOf(ref: HealthRef, reasons: ReadonlySet<string>, world: World): EventFact | undefined {
  return world.events.find((event) => event.warning && reasons.has(event.reason) && isAbout(event, ref));
}

/** The related object with this group, kind and name in the namespace. */
export function relatedNamed(ref: Pick<HealthRef, "group" | "kind" | "namespace" | "name">, world: World): Fields | undefined {
  return (world.related ?? []).find((object) => {
    const other = refOf(object);
    return other.kind === ref.kind && other.group === ref.group && other.namespace === ref.namespace && other.name === ref.name;
  });
}

function missingOf(fields: Fields): MissingRef {
  const maker = fields["madeBy"];
  if (!isFields(maker) || !isFields(maker["ref"])) return refIn(fields);
  // Whatever is not a chain throws where it is read, and then nothing is explained.
  const why = isFields(maker["why"]) ? (maker["why"] as unknown as Why) : null;
  return { ...refIn(fields), madeBy: { ref: refIn(maker["ref"]), why } };
}

function refIn(fields: Fields): HealthRef {
  const [group, version, kind] = [textAt(fields, "group"), textAt(fields, "version"), textAt(fields, "kind")];
  return { group, version, kind, namespace: textAt(fields, "namespace"), name: textAt(fields, "name") };
}

function isNamed({ kind, name }: HealthRef): boolean {
  return kind !== "" && name !== "";
}

/** Tells one object from every other. */
export function identityOf(object: Fields): string {
  const ref = refOf(object);
  return `${textOfRef(ref)}/${ref.uid ?? ""}`;
}

function textOfRef({ group, kind, namespace, name }: HealthRef): string {
  return `${group}/${kind}/${namespace}/${name}`;
}

function textOfEvent({ about, reason, container, message, firstAt, count }: EventFact): string {
  return [textOfRef(about), about.uid ?? "", reason, container, message, firstAt, count].join("\n");
}

/** Sorted by a text that is made once for each. */
function byText<T>(items: readonly T[], textOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, text: textOf(item) }));
  return keyed.sort((left, right) => compare(left.text, right.text)).map(({ item }) => item);
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
