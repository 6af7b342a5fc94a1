import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ResourceEventSchema, type ResourceEvent, type ResourceRef } from "@binnacle/proto/dashboard";

import type { EventFacts } from "./event-facts.ts";

/** What was reported of a resource, as it is sent. */
export function resourceEventOf(facts: EventFacts, regarding: ResourceRef): ResourceEvent {
  const { firstMs, lastMs, ...told } = facts;
  return create(ResourceEventSchema, {
    ...told,
    regarding,
    ...(firstMs === undefined ? {} : { firstAt: timestampFromMs(firstMs) }),
    ...(lastMs === undefined ? {} : { lastAt: timestampFromMs(lastMs) }),
  });
}
