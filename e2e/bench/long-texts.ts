import { buildGraph } from "@binnacle/graph";
import { factOf, health, noticesOf, whyOf } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

import type { Figure } from "./goals.ts";

const CHARS = 1_000_000;
const RUNS = 5;
const NOW = "2026-01-02T00:00:00Z";

/** Texts over which expressions went back again and again; each is repeated up to a million characters. */
const PARTS = [
  "aing",
  "notnot",
  "password ",
  "apikey:",
  "://a:",
  " is invalid: \n",
  "1/1",
  "bearer 1",
  "exceeded quota: a, requested: ",
  "A",
];

/** What one text of a million characters costs at most, in whatever field of whatever kind it stands. */
export function longTextFigures(): readonly Figure[] {
  const texts = PARTS.map((part) => part.repeat(CHARS / part.length + 1).slice(0, CHARS));
  const worst = (work: (object: KubeObject, event: KubeObject) => unknown): number =>
    Math.max(...texts.flatMap((text) => objectsWith(text).map((object) => bestMs(() => work(object, eventWith(text))))));
  return [
    {
      figure: "health of an object with 1 MB of text in a field, worst",
      value: worst((object) => health(object, { now: NOW })),
      unit: "ms",
      goal: 5,
    },
    { figure: "its fact, worst", value: worst((object) => factOf(object)), unit: "ms", goal: 5 },
    { figure: "its edges, worst", value: worst((object) => buildGraph([object]).edges()), unit: "ms", goal: 5 },
    { figure: "its why-chain, with an event as long, credentials masked, worst", value: worst(explained), unit: "ms", goal: 5 },
    { figure: "health of an object with 200,000 conditions", value: crowdedMs(), unit: "ms", goal: 5 },
  ];
}

function explained(object: KubeObject, event: KubeObject): unknown {
  const context = { now: NOW, events: [event] };
  return [whyOf(object, context), noticesOf(object, context)];
}

/** The best of some runs: others on the machine do not count. */
function bestMs(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  return Math.min(...times);
}

function objectsWith(text: string): readonly KubeObject[] {
  const metadata = { name: "one", namespace: "shop" };
  const condition = { type: "Ready", status: "False", reason: "", message: "" };
  const widget = (status: object): KubeObject => ({ apiVersion: "example.com/v1", kind: "Widget", metadata, status });
  const pod = (state: object): KubeObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata,
    status: { phase: "Running", containerStatuses: [{ name: "app", restartCount: 3, ...state }] },
  });
  return [
    widget({ conditions: [{ ...condition, message: text }] }),
    widget({ conditions: [{ ...condition, reason: text }] }),
    widget({ conditions: [{ ...condition, type: text }] }),
    widget({ conditions: [{ ...condition, lastTransitionTime: text }] }),
    widget({ phase: text, message: text }),
    pod({ state: { waiting: { reason: "CrashLoopBackOff", message: text } }, lastState: { terminated: { exitCode: 1, message: text } } }),
    pod({ state: { waiting: { reason: text } } }),
    { apiVersion: "v1", kind: "Pod", metadata, status: { conditions: [{ ...condition, type: "PodScheduled", message: text }] } },
    { apiVersion: "v1", kind: "Pod", metadata: { ...metadata, annotations: { note: text }, labels: { app: text } }, status: {} },
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata,
      status: { conditions: [{ ...condition, type: "ReplicaFailure", status: "True", message: text }] },
    },
  ];
}

function eventWith(text: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: "e", namespace: "shop" },
    type: "Warning",
    reason: "FailedCreate",
    message: text,
    involvedObject: { kind: "ReplicaSet", name: "one", namespace: "shop" },
  };
}

function crowdedMs(): number {
  const conditions = Array.from({ length: 200_000 }, (_, index) => ({ type: `Type${index}`, status: "True" }));
  const object = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "one" }, status: { conditions } };
  return bestMs(() => health(object, { now: NOW }));
}
