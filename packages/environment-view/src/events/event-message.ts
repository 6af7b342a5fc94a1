import { create } from "@bufbuild/protobuf";
import { ResourceEventSchema, type ResourceEvent, type ResourceRef } from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";

import type { EventFacts } from "./event-facts.ts";

/** What was reported of a resource, as it is sent. */
export function resourceEventOf(facts: EventFacts, regarding: ResourceRef): ResourceEvent {
  const { firstMs, lastMs, ...rest } = facts;
  return create(ResourceEventSchema, {
    ...rest,
    regarding,
    ...timeField("firstAt", firstMs),
    ...timeField("lastAt", lastMs),
  });
}
