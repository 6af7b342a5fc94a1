import {
  ConnectionState,
  EnvironmentEventSchema,
  ResourceRefSchema,
  SettledState,
  SourceSchema,
  WatchEventsResponseSchema,
  type EnvironmentEvent,
  type ResourceRef,
  type Source,
  type WatchEventsResponse,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { pause } from "./pause.ts";

const NAMESPACE = "shop-prod";
const PLURALS: Readonly<Record<string, readonly [group: string, resource: string]>> = {
  Pod: ["", "pods"],
  Deployment: ["apps", "deployments"],
  ReplicaSet: ["apps", "replicasets"],
  StatefulSet: ["apps", "statefulsets"],
  CronJob: ["batch", "cronjobs"],
  Job: ["batch", "jobs"],
  HorizontalPodAutoscaler: ["autoscaling", "horizontalpodautoscalers"],
  Ingress: ["networking.k8s.io", "ingresses"],
};

function refOf(kind: string, name: string, namespace = NAMESPACE): ResourceRef {
  const [group, resource] = PLURALS[kind] ?? ["", `${kind.toLowerCase()}s`];
  return create(ResourceRefSchema, { group, version: "v1", kind, resource, namespace, name });
}

interface Incident {
  readonly about: readonly [kind: string, name: string];
  readonly workload: readonly [kind: string, name: string];
  readonly reason: string;
  readonly message: string;
  readonly agoMs: number;
  readonly count?: number;
  readonly overMs?: number;
  readonly warning?: boolean;
  readonly source?: string;
}

const CHECKOUT = ["Deployment", "checkout"] as const;
const INCIDENTS: readonly Incident[] = [
  ...["x2lq4", "9hvdk", "m4t7z"].map((suffix, index) => ({
    about: ["Pod", `checkout-7c9f8d-${suffix}`] as const,
    workload: CHECKOUT,
    reason: "Failed",
    message: 'Error: configmap "checkout-flags" not found',
    agoMs: 12_000 + index * 4_000,
    count: 18 - index,
    overMs: 240_000,
    warning: true,
    source: "kubelet",
  })),
  {
    about: ["Pod", "checkout-7c9f8d-x2lq4"],
    workload: CHECKOUT,
    reason: "Pulled",
    message: 'Container image "registry.local/shop/api:3.14.0" already present on machine and can be accessed by the pod',
    agoMs: 18_000,
    count: 18,
    overMs: 240_000,
    source: "kubelet",
  },
  {
    about: ["ReplicaSet", "checkout-7c9f8d"],
    workload: CHECKOUT,
    reason: "SuccessfulCreate",
    message: "Created pod: checkout-7c9f8d-x2lq4",
    agoMs: 250_000,
    source: "replicaset-controller",
  },
  {
    about: CHECKOUT,
    workload: CHECKOUT,
    reason: "ScalingReplicaSet",
    message: "Scaled up replica set checkout-7c9f8d from 0 to 3",
    agoMs: 251_000,
    source: "deployment-controller",
  },
  {
    about: ["Pod", "catalog-6d5b7f-qqq1a"],
    workload: ["Deployment", "catalog"],
    reason: "Unhealthy",
    message:
      'Readiness probe failed: Get "http://10.42.3.17:8080/readyz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    agoMs: 41_000,
    count: 6,
    overMs: 55_000,
    warning: true,
    source: "kubelet",
  },
  {
    about: ["Pod", "catalog-6d5b7f-qqq1a"],
    workload: ["Deployment", "catalog"],
    reason: "Started",
    message: "Container started",
    agoMs: 97_000,
    source: "kubelet",
  },
  {
    about: ["HorizontalPodAutoscaler", "checkout"],
    workload: ["HorizontalPodAutoscaler", "checkout"],
    reason: "FailedGetResourceMetric",
    message: "failed to get cpu utilization: unable to get metrics for resource cpu: no metrics returned from resource metrics API",
    agoMs: 140_000,
    count: 31,
    overMs: 460_000,
    warning: true,
    source: "horizontal-pod-autoscaler",
  },
  {
    about: ["Job", "nightly-report-29001880"],
    workload: ["CronJob", "nightly-report"],
    reason: "Completed",
    message: "Job completed",
    agoMs: 1_900_000,
    source: "job-controller",
  },
];

function eventOf(incident: Incident, index: number, nowMs: number): EnvironmentEvent {
  const { about, workload, reason, message, agoMs, count = 1, overMs = 0, warning = false, source = "" } = incident;
  const lastMs = nowMs - agoMs;
  return create(EnvironmentEventSchema, {
    id: `event-${index}`,
    workload: refOf(...workload),
    event: {
      type: warning ? "Warning" : "Normal",
      reason,
      message,
      count,
      source,
      firstAt: timestampFromMs(lastMs - overMs),
      lastAt: timestampFromMs(lastMs),
      regarding: refOf(...about),
    },
  });
}

function many(nowMs: number): EnvironmentEvent[] {
  return Array.from({ length: 500 }, (_, index) => {
    const incident = INCIDENTS[index % INCIDENTS.length];
    const name = `worker-${index % 40}`;
    return eventOf(
      {
        ...(incident ?? { reason: "", message: "" }),
        about: ["Pod", `${name}-7c9f8d-${(index * 7_919).toString(36).padStart(5, "q").slice(0, 5)}`],
        workload: ["Deployment", name],
        agoMs: index * 7_000,
      },
      index,
      nowMs,
    );
  });
}

function sourceOf(namespace: string, more: MessageInitShape<typeof SourceSchema> = {}): Source {
  return create(SourceSchema, { resource: "events", kind: "Event", version: "v1", namespace, settled: SettledState.LIVE, ...more });
}

function forbidden(namespace: string): Source {
  const text = `events is forbidden: User "gitlab:user:mara" cannot list resource "events" in API group "" in the namespace "${namespace}"`;
  return sourceOf(namespace, { settled: SettledState.FORBIDDEN, words: toWordsMessage(quoted(text)) });
}

function message(init: Omit<MessageInitShape<typeof WatchEventsResponseSchema>, "$typeName">): WatchEventsResponse {
  return create(WatchEventsResponseSchema, { ...init, sentAt: timestampFromMs(Date.now()) });
}

/** All events of an environment; its name decides which. */
export function openingEvents(environment: string): WatchEventsResponse {
  const nowMs = Date.now();
  const isForbidden = environment === "events-forbidden";
  const isQuiet = isForbidden || environment === "empty" || environment === "events-none";
  const events = isQuiet
    ? []
    : environment.startsWith("load-")
      ? many(nowMs)
      : INCIDENTS.map((incident, index) => eventOf(incident, index, nowMs));
  const isPartial = environment === "events-partial";
  const tellsLife = !isQuiet && !isPartial;
  const moments = [
    { at: 3_700_000, words: words("life/connected") },
    { at: 3_690_000, words: words("life/configuration-applied", { commit: "4f2c91e07d" }) },
    { at: 620_000, words: words("life/connection-lost"), warning: true },
    { at: 617_000, words: words("life/connected") },
  ];
  return message({
    reset: true,
    upserted: events,
    life: tellsLife
      ? moments.map(({ at, words: sentence, warning = false }, index) => ({
          number: index + 1,
          at: timestampFromMs(nowMs - at),
          words: toWordsMessage(sentence),
          warning,
        }))
      : [],
    state: {
      complete: true,
      sources: isForbidden ? [forbidden(NAMESPACE)] : [sourceOf(NAMESPACE), ...(isPartial ? [forbidden("shop-data")] : [])],
      total: environment.startsWith("load-") ? 1_234 : events.length,
      tellsLife,
    },
    connection: { state: ConnectionState.CONNECTED, since: timestampFromMs(nowMs - 3_600_000) },
  });
}

/** The events of an environment as a stream. Those of "staging" go on. */
export async function* fixtureEvents(environment: string, signal: AbortSignal): AsyncGenerator<WatchEventsResponse> {
  yield openingEvents(environment);
  for (let turn = 1; !signal.aborted; turn += 1) {
    await pause(environment === "staging" ? 3_000 : 10_000, signal);
    const [first] = INCIDENTS;
    const again = first && { ...first, agoMs: 0, count: 18 + turn, overMs: 240_000 };
    yield message(environment === "staging" && again ? { upserted: [eventOf(again, turn % 3, Date.now())] } : {});
  }
}
