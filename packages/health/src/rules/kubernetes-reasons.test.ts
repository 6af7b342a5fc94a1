import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { isFields, type Fields, type KubeObject } from "@binnacle/kube";

import { health } from "../health.ts";
import { ruledKinds } from "../rule-registry.ts";
import { noticesOf } from "../why/why-of.ts";

const FOLDER = new URL("../../fixtures/kubernetes/", import.meta.url);
const NOW = "2026-01-01T12:00:00Z";
/** An hour ago: whatever is given a grace has had it. */
const SINCE = "2026-01-01T11:00:00Z";

/** As scripts/kubernetes-reasons writes it. */
interface KubernetesReasons {
  readonly modules: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Record<string, readonly { readonly type: string; readonly reason: string; readonly statuses: string[] }[]>>;
}

/** What a resource that is well says when one condition of it is this one. */
interface ReasonCase {
  /** Type of the condition; "phase" for a phase, "waiting" for what a container waits for. */
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly why: string;
  readonly expected: string;
  readonly expectedReason?: string;
  /** Stable words of all notices. */
  readonly notices?: readonly string[];
  /** Fields of spec and status that are otherwise then, too. */
  readonly spec?: Fields;
  readonly objectStatus?: Fields;
  /** Conditions that are otherwise then, too. */
  readonly others?: readonly Fields[];
}

interface KindCases {
  readonly kind: string;
  readonly resource: KubeObject;
  readonly cases: readonly ReasonCase[];
}

// The files are ours and have these shapes; wrong ones fail below.
const known = JSON.parse(read("reasons.json")) as KubernetesReasons;
const unreached = JSON.parse(read("unreached.json")) as readonly { kind: string; type: string; reason: string; why: string }[];
const files = readdirSync(new URL("cases/", FOLDER)).map((name) => JSON.parse(read(`cases/${name}`)) as KindCases);

const wanted = Object.entries(known.kinds).flatMap(([kind, reasons]) =>
  reasons.flatMap(({ type, reason, statuses }) =>
    (statuses.length === 0 ? [""] : statuses).map((status) => ({ id: idOf(kind, type, reason), withStatus: status })),
  ),
);
const covered = files.flatMap(({ kind, cases }) =>
  cases.map(({ type, reason, status }) => ({ id: idOf(kind, type, reason), withStatus: status })),
);
const excused = unreached.map(({ kind, type, reason }) => idOf(kind, type, reason));

describe.each(files)("$kind", ({ resource, cases }) => {
  test.each(cases)("$type $status $reason is $expected: $why", (each) => {
    const object = resourceOf(resource, each);
    const result = health(object, { now: NOW });
    expect([result?.status, result?.reason]).toEqual([each.expected, each.expectedReason ?? result?.reason]);
    const notices = noticesOf(object, { now: NOW }).map(({ reason }) => reason);
    expect(notices).toEqual(each.notices ?? []);
  });
});

test("every condition type and reason of a kind with a rule has a case, or stands in the list of those that are not reached", () => {
  const lacking = wanted.filter(
    ({ id, withStatus }) =>
      !excused.includes(id) && !covered.some((each) => each.id === id && (withStatus === "" || each.withStatus === withStatus)),
  );
  expect(lacking).toEqual([]);
});

test("no case and no entry of that list is about a reason that Kubernetes does not write", () => {
  const ids = new Set(wanted.map(({ id }) => id));
  expect([...covered.map(({ id }) => id), ...excused].filter((id) => !ids.has(id))).toEqual([]);
});

test("what has a case is not in the list of those that are not reached, and each there says why", () => {
  expect(excused.filter((id) => covered.some((each) => each.id === id))).toEqual([]);
  expect(unreached.filter(({ why }) => why === "")).toEqual([]);
});

test("every kind of Kubernetes with a rule was looked for in its source", () => {
  // The old group has the kinds of the new ones; Argo's Workflow is none of Kubernetes.
  const own = ruledKinds().filter((id) => !id.startsWith("extensions/") && !id.startsWith("argoproj.io/"));
  expect(Object.keys(known.kinds).sort()).toEqual(own);
});

test("the reasons are those of one version", () => {
  const minors = Object.values(known.modules).map((version) => version.replace(/^v[01]\./, ""));
  expect(new Set(minors).size).toBe(1);
});

function resourceOf(base: KubeObject, { type, status, reason, spec, objectStatus, others = [] }: ReasonCase): KubeObject {
  const own = isFields(base["status"]) ? base["status"] : {};
  const changed = [...others, ...(type === "phase" || type === "waiting" ? [] : [{ type, status, reason }])];
  const types = new Set(changed.map((each) => each["type"]));
  const kept = Array.isArray(own["conditions"]) ? own["conditions"].filter((each) => isFields(each) && !types.has(each["type"])) : [];
  const conditions = [...kept, ...changed.map((each) => ({ message: "text", lastTransitionTime: SINCE, ...each }))];
  const waiting = [{ name: "c", ready: false, state: { waiting: { reason, message: "text" } } }];
  return {
    ...base,
    spec: { ...(isFields(base["spec"]) ? base["spec"] : {}), ...spec },
    status: {
      ...own,
      ...objectStatus,
      ...(type === "phase" ? { phase: reason } : {}),
      ...(type === "waiting" ? { containerStatuses: waiting } : {}),
      conditions,
    },
  };
}

function idOf(kind: string, type: string, reason: string): string {
  return `${kind} ${type} ${reason}`.trimEnd();
}

function read(file: string): string {
  return readFileSync(new URL(file, FOLDER), "utf8");
}
