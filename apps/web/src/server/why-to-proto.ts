import type { ViewChange, ViewWhy, ViewWhyLink } from "@binnacle/environment-view";
import {
  PrecedingChangeSchema,
  WhyLevel,
  WhyLinkSchema,
  WhySchema,
  type PrecedingChange,
  type Why,
  type WhyLink,
} from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";

import { HEALTH, timeField, toRef } from "./wire-fields.ts";

const LEVEL = {
  resource: WhyLevel.RESOURCE,
  container: WhyLevel.CONTAINER,
  event: WhyLevel.EVENT,
  reference: WhyLevel.REFERENCE,
} as const satisfies Record<ViewWhyLink["level"], WhyLevel>;

/** A why-chain for the wire. */
export function toWhy(why: ViewWhy): Why {
  return create(WhySchema, {
    chain: why.chain.map(toLink),
    reason: why.reason,
    message: why.message,
    nextStep: why.nextStep,
    ...timeField("firstBadAt", why.firstBadAt),
    ...(why.precededBy === undefined ? {} : { precededBy: toChange(why.precededBy) }),
  });
}

function toLink(link: ViewWhyLink): WhyLink {
  return create(WhyLinkSchema, {
    level: LEVEL[link.level],
    nodeId: link.nodeId,
    ref: toRef(link.ref),
    container: link.container,
    status: HEALTH[link.status],
    reason: link.reason,
    message: link.message,
    ...timeField("since", link.since),
  });
}

function toChange(change: ViewChange): PrecedingChange {
  const { what, nodeId, ref, at, message } = change;
  return create(PrecedingChangeSchema, { what, nodeId, ref: toRef(ref), message, ...timeField("at", at) });
}
