import {
  AgentMomentSchema,
  EnvironmentEventSchema,
  EventsStateSchema,
  ResourceEventSchema,
  type AgentMoment,
  type EnvironmentEvent,
  type EventsState,
} from "@binnacle/proto/dashboard";
import { SettledState } from "@binnacle/proto/dashboard-enums";
import { toWordsMessage } from "@binnacle/proto/words";
import { toTimestamp } from "@binnacle/proto/wire-values";
import type { Words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

/** For tests: what was reported of a pod of the Deployment "web", so many seconds after the epoch. */
export function madeEvent(
  id: string,
  atSeconds: number,
  { workload = "web", about = "web-1-x", overSeconds = 0, ...event }: MadeFields = {},
): EnvironmentEvent {
  const init = {
    type: "Normal",
    reason: "Pulled",
    message: `message of ${id}`,
    count: 1,
    firstAt: toTimestamp((atSeconds - overSeconds) * 1_000),
    lastAt: toTimestamp(atSeconds * 1_000),
    regarding: { kind: "Pod", resource: "pods", namespace: "env", name: about },
    ...event,
  };
  return create(EnvironmentEventSchema, {
    id,
    workload: { group: "apps", kind: "Deployment", resource: "deployments", namespace: "env", name: workload },
    event: create(ResourceEventSchema, init),
  });
}

interface MadeFields {
  readonly workload?: string;
  readonly about?: string;
  readonly overSeconds?: number;
  readonly type?: string;
  readonly reason?: string;
  readonly count?: number;
  readonly source?: string;
}

/** For tests: something that has happened to the agent. */
export function madeMoment(number: number, atSeconds: number, words: Words): AgentMoment {
  return create(AgentMomentSchema, { number, at: toTimestamp(atSeconds * 1_000), words: toWordsMessage(words) });
}

/** For tests: all is seen, unless it says otherwise. */
export function madeState(init: MessageInitShape<typeof EventsStateSchema> = {}): EventsState {
  const sources = [{ resource: "events", namespace: "env", settled: SettledState.LIVE }];
  return create(EventsStateSchema, { complete: true, tellsLife: true, sources, ...init });
}

/** For tests: by id. */
export function byId(...events: readonly EnvironmentEvent[]): ReadonlyMap<string, EnvironmentEvent> {
  return new Map(events.map((event) => [event.id, event]));
}
