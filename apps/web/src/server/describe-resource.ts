import { fieldsAt, listAt, maskSecret, numberAt, textAt, trimObject, type KubeObject } from "@binnacle/kube";
import {
  ConditionSchema,
  GetResourceResponseSchema,
  ResourceEventSchema,
  ResourceRefSchema,
  type Condition,
  type GetResourceResponse,
  type ResourceEvent,
} from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { stringify } from "yaml";

import { toTimestamp } from "./wire-fields.ts";

/** An object and what is to be shown with it. */
export interface DescribedResource {
  /** As the cluster sent it. */
  readonly object: KubeObject;
  /** The plural under which it was asked for: it says what the object is when the object itself says something else. */
  readonly resource: string;
  readonly events: readonly KubeObject[];
  /** Why there are no events; else empty. */
  readonly eventsProblem: string;
}

/** An object and its events as the drawer shows them. What was asked for as a Secret, or calls itself one, shows no values. */
export function describeResource({ object, resource, events, eventsProblem }: DescribedResource): GetResourceResponse {
  const shown = resource === "secrets" || object.kind === "Secret" ? maskSecret(object) : trimObject(object);
  return create(GetResourceResponseSchema, {
    yaml: stringify(shown, { lineWidth: 0 }),
    conditions: conditionsOf(object),
    events: events.map(toEvent).toSorted((a, b) => Number((b.lastAt?.seconds ?? 0n) - (a.lastAt?.seconds ?? 0n))),
    eventsProblem,
    labels: textsAt(shown.metadata, "labels"),
    annotations: textsAt(shown.metadata, "annotations"),
  });
}

function conditionsOf(object: KubeObject): Condition[] {
  return listAt(object["status"], "conditions").flatMap((condition) => {
    if (typeof condition !== "object" || condition === null) return [];
    const since = toTimestamp(textAt(condition, "lastTransitionTime"));
    return [
      create(ConditionSchema, {
        type: textAt(condition, "type"),
        status: textAt(condition, "status"),
        reason: textAt(condition, "reason"),
        message: textAt(condition, "message"),
        ...(since === undefined ? {} : { since }),
      }),
    ];
  });
}

function toEvent(event: KubeObject): ResourceEvent {
  const series = event["series"];
  const created = event.metadata.creationTimestamp;
  const first = toTimestamp(textAt(event, "firstTimestamp") || textAt(event, "eventTime") || created);
  const last = toTimestamp(textAt(series, "lastObservedTime") || textAt(event, "lastTimestamp") || textAt(event, "eventTime") || created);
  const count = numberAt(series, "count") ?? numberAt(event, "count") ?? 1;
  const about = event["involvedObject"];
  const apiVersion = textAt(about, "apiVersion");
  return create(ResourceEventSchema, {
    type: textAt(event, "type"),
    reason: textAt(event, "reason"),
    message: textAt(event, "message"),
    count: Number.isSafeInteger(count) && count > 0 ? count : 1,
    ...(first === undefined ? {} : { firstAt: first }),
    ...(last === undefined ? {} : { lastAt: last }),
    source: textAt(event, "reportingComponent") || textAt(event["source"], "component"),
    regarding: create(ResourceRefSchema, {
      group: apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "",
      version: apiVersion.slice(apiVersion.indexOf("/") + 1),
      kind: textAt(about, "kind"),
      namespace: textAt(about, "namespace"),
      name: textAt(about, "name"),
    }),
  });
}

function textsAt(parent: unknown, name: string): Record<string, string> {
  const entries = Object.entries(fieldsAt(parent, name));
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
}
