import { fieldsAt, isFields, numberAt, textAt, type Fields } from "@binnacle/kube";

import { reportAt, timeAt, wordAt } from "./bounded-text.ts";
import type { HealthRef } from "./health-result.ts";

/** An Event of core/v1 or events.k8s.io, read loosely. */
export interface EventFact {
  readonly about: HealthRef;
  /** Name of the container it is about; empty when it is about the whole object. */
  readonly container: string;
  readonly reason: string;
  readonly message: string;
  readonly warning: boolean;
  /** As written; may be empty. */
  readonly firstAt: string;
  /** When the episode began that it belongs to (episodes.ts): `firstAt`, or that of an Event before it. */
  readonly beganAt: string;
  /** As written; may be empty. */
  readonly lastAt: string;
  readonly count: number;
}

/** Reads an event of either API; what is not there is empty. */
export function eventOf(object: Fields): EventFact {
  const about = isFields(object["involvedObject"]) ? fieldsAt(object, "involvedObject") : fieldsAt(object, "regarding");
  const series = fieldsAt(object, "series");
  const single = timeAt(object, "eventTime") || timeAt(fieldsAt(object, "metadata"), "creationTimestamp");
  const firstAt = timeAt(object, "firstTimestamp") || timeAt(object, "deprecatedFirstTimestamp") || single;
  const last = timeAt(series, "lastObservedTime") || timeAt(object, "lastTimestamp") || timeAt(object, "deprecatedLastTimestamp");
  return {
    about: aboutOf(about),
    container: /^spec\.\w*[cC]ontainers\{([^}]*)\}$/.exec(wordAt(about, "fieldPath"))?.[1] ?? "",
    reason: wordAt(object, "reason"),
    message: reportAt(object, "message") || reportAt(object, "note"),
    warning: textAt(object, "type") !== "Normal",
    firstAt,
    beganAt: firstAt,
    lastAt: last || firstAt,
    count: numberAt(series, "count") ?? numberAt(object, "count") ?? numberAt(object, "deprecatedCount") ?? 1,
  };
}

/** Whether the event is about the object: by uid when both have one, else by kind and name. */
export function isAbout(event: EventFact, ref: HealthRef): boolean {
  const { about } = event;
  // The kubelet writes the name of its node where the uid belongs.
  const hasUid = about.uid !== undefined && about.uid !== about.name;
  if (hasUid && ref.uid !== undefined) return about.uid === ref.uid;
  return about.name !== "" && about.kind === ref.kind && about.name === ref.name && about.namespace === ref.namespace;
}

function aboutOf(fields: Fields): HealthRef {
  const apiVersion = textAt(fields, "apiVersion");
  const slash = apiVersion.indexOf("/");
  const uid = textAt(fields, "uid");
  return {
    group: slash < 0 ? "" : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind: textAt(fields, "kind"),
    namespace: textAt(fields, "namespace"),
    name: textAt(fields, "name"),
    ...(uid === "" ? {} : { uid }),
  };
}
