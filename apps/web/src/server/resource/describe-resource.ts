import { foldEvents, resourceEventOf, timestampOf, type FoldedEvent, type ScopeChanges } from "@binnacle/environment-view";
import { fieldsAt, keyOf, listAt, maskSecret, textAt, trimObject, type KubeObject } from "@binnacle/kube";
import {
  ConditionSchema,
  GetResourceResponseSchema,
  ResourceRefSchema,
  type Condition,
  type GetResourceResponse,
  type ManifestPlace,
  type ResourceEvent,
} from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";
import type { Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { stringify } from "yaml";

import type { DeployedCommit } from "../main-application/records.ts";
import { toDeployment } from "../delivery/to-delivery.ts";
import { toSentWords } from "../base/sent-words.ts";
import { detailsOf } from "../details/details-of.ts";
import { toDetailMessages } from "../detail-parts/to-detail-messages.ts";
import { inUsualOrder } from "./usual-order.ts";

/** An object and what is to be shown with it. */
export interface DescribedResource {
  /** As the cluster sent it. */
  readonly object: KubeObject;
  /** The plural under which it was requested: it decides what the object is when the object itself states another kind. */
  readonly resource: string;
  readonly events: readonly KubeObject[];
  /** Why there are no events. */
  readonly eventsWords?: Words | undefined;
  /** Its changes, as far as a view of its environment has seen them; absent: there is no such view. */
  readonly changes?: ScopeChanges | undefined;
  /** What was deployed to its environment, newest first. */
  readonly deployments: readonly DeployedCommit[];
  /** EndpointSlices of a Service; absent: not known. */
  readonly slices?: readonly KubeObject[] | undefined;
  readonly nowMs: number;
  /** Location of its manifest; absent: not known. */
  readonly manifest?: ManifestPlace | undefined;
}

/** An object and its events as the drawer shows them. An object that was requested as a Secret, or states that kind, shows no values. */
export function describeResource(described: DescribedResource): GetResourceResponse {
  const { object, resource, events, eventsWords, changes, manifest, deployments, slices, nowMs } = described;
  const target = { key: keyOf(object), uid: object.metadata.uid ?? "" };
  const isSecret = resource === "secrets" || object.kind === "Secret";
  const shown = isSecret ? maskSecret(object) : trimObject(object);
  return create(GetResourceResponseSchema, {
    yaml: stringify(inUsualOrder(shown), { lineWidth: 0 }),
    conditions: conditionsOf(object),
    events: foldEvents(events, target)
      .map(toEvent)
      .toSorted((a, b) => Number((b.lastAt?.seconds ?? 0n) - (a.lastAt?.seconds ?? 0n))),
    deployments: deployments.map(toDeployment),
    ...(manifest && { manifest }),
    ...(eventsWords && { eventsWords: toSentWords(eventsWords) }),
    labels: textsAt(shown.metadata, "labels"),
    annotations: textsAt(shown.metadata, "annotations"),
    ...toDetailMessages(detailsOf(shown, object, { isSecret, nowMs, related: slices })),
    ...(changes?.sinceMs === undefined
      ? {}
      : { changes: [...changes.changes], ...timeField("changesSince", changes.sinceMs), changesCut: changes.isCut }),
  });
}

function conditionsOf(object: KubeObject): Condition[] {
  return listAt(object["status"], "conditions").flatMap((condition) => {
    if (typeof condition !== "object" || condition === null) return [];
    const since = timestampOf(textAt(condition, "lastTransitionTime"));
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

function toEvent({ about: { key }, facts }: FoldedEvent): ResourceEvent {
  return resourceEventOf(facts, create(ResourceRefSchema, key));
}

function textsAt(parent: unknown, name: string): Record<string, string> {
  const entries = Object.entries(fieldsAt(parent, name));
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : [])));
}
