import fc from "fast-check";
import { expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";
import { renderEnglish } from "@binnacle/words/render-english";

import { health } from "./health.ts";
import { maskCredentials } from "./mask-credentials.ts";
import { ODD_KINDS, oddJson } from "./odd-objects.ts";
import { whyOf } from "./why/why-of.ts";

/** Longer than any text is read; the rest is never read. */
const READ = 65_536;

/** Texts over which the old expressions went back again and again, and some that end in a word that rules know. */
const LONG = ["aing", "notnot", " is invalid: \n", "apikey:", "1/1", "://a:", "password ", "exceeded quota: a, requested: "].map((part) =>
  part.repeat(READ / part.length + 1).slice(0, READ),
);
const TAILS = ["Error", "BackOff", "ing", "Ready", "Failed", "", "1", "@"];

const names =
  "name type status reason message conditions phase state health spec containerStatuses waiting terminated lastState parents".split(" ");
const odd = fc
  .record({
    kind: fc.constantFrom(...ODD_KINDS),
    status: oddJson(names, ["True", "False", "Ready", "Running", "Pending", ...LONG]),
    conditions: fc.array(
      fc.record({
        type: fc.constantFrom("Ready", "Available", "Failed", "PodScheduled", "ReplicaFailure", LONG[0] ?? ""),
        status: fc.constantFrom("True", "False", LONG[1] ?? ""),
        reason: fc.constantFrom("", "NotReady", ...LONG),
        message: fc.constantFrom("", ...LONG),
        lastTransitionTime: fc.constantFrom("2026-01-01T00:00:00Z", LONG[4] ?? ""),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ kind: [apiVersion, kind], status, conditions }) => ({
    apiVersion,
    kind,
    metadata: { name: "one", generation: 1 },
    status: { ...Object(status), conditions },
  }));

/** The same with something behind every long text. */
function lengthened(value: unknown, tail: string): unknown {
  if (typeof value === "string") return value.length < READ ? value : value + tail;
  if (Array.isArray(value)) return value.map((each) => lengthened(each, tail));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, lengthened(field, tail)]));
}

test("W6: what stands behind the first 64 Ki characters of any text changes neither health nor why", () => {
  const context = { now: "2026-01-01T12:00:00Z" };
  fc.assert(
    fc.property(odd, fc.constantFrom(...TAILS), (resource, tail) => {
      const longer = lengthened(resource, tail.repeat(100));
      // Odd on purpose: the rules take unknown input.
      expect(health(longer as KubeObject, context)).toEqual(health(resource as KubeObject, context));
      expect(whyOf(longer as KubeObject, context)).toEqual(whyOf(resource as KubeObject, context));
    }),
    { numRuns: 150 },
  );
});

test("W6: words are looked for in the first 256 characters", () => {
  const words = (message: string): string | undefined =>
    health(widget([{ type: "Ready", status: "False", reason: "", message }]), { now: "2026-01-01T12:00:00Z" })?.status;
  expect(words(`${".".repeat(200)} failed`)).toBe("Degraded");
  expect(words(`${".".repeat(256)} failed`)).toBe("Progressing");
  expect(words(`failed ${".".repeat(256)} provisioning`)).toBe("Degraded");
});

test("W6: of two hundred thousand conditions of a custom resource the first hundred are read", () => {
  const read: number[] = [];
  const conditions = Array.from({ length: 200_000 }, (_, index) => ({
    get type() {
      read.push(index);
      return `Type${index}`;
    },
    status: "True",
  }));
  health(widget(conditions), { now: "2026-01-01T12:00:00Z" });
  expect(Math.max(...new Set(read))).toBe(99);
});

test("W6: a thousand conditions are read in all, also when many parents have them", () => {
  let read = 0;
  const condition = {
    get type() {
      read += 1;
      return "Accepted";
    },
    status: "True",
  };
  const parents = Array.from({ length: 5_000 }, () => ({ conditions: [condition, condition] }));
  const route = { apiVersion: "gateway.networking.k8s.io/v1", kind: "HTTPRoute", metadata: { name: "r" }, status: { parents } };
  health(route, { now: "2026-01-01T12:00:00Z" });
  expect(read).toBeLessThanOrEqual(1_000);
});

test("W6: a sentence is shown to its first 32 Ki characters, and says that there is more", () => {
  const message = health(widget([{ type: "Ready", status: "False", reason: "Broken", message: "x".repeat(1_000_000) }]), {
    now: "2026-01-01T12:00:00Z",
  })?.message;
  expect(renderEnglish(message)).toBe(`${"x".repeat(32_768)}…`);
});

test.each([0, 1, 2, 7, 8, 9, 100, 4_000, 4_095, 4_096, 4_097, 5_000])(
  "W6: no part of a credential is shown that begins %i characters before the end of what is read of a long text",
  (before) => {
    for (const credential of ["dial postgres://shop:hunter22@db", "Bearer eyJhbGciOi.J9hunter22", "password=hunter22"]) {
      for (const end of [32_768, 36_864]) {
        const text = `${"word ".repeat(10_000).slice(0, end - before)} ${credential} ${"word ".repeat(10_000)}`;
        expect(maskCredentials(text)).not.toContain("hunt");
      }
    }
  },
);

test.each(Array.from({ length: 12 }, (_, index) => 268 + index))(
  "W6, T7: no half of a credential stays in a quotation that is cut, also when it begins at character %i",
  (begins) => {
    const message = `${"word ".repeat(60).slice(0, begins)} postgres://shop:hunter22@db:5432/shop ${"word ".repeat(60)}`;
    const involvedObject = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", namespace: "shop" };
    const event = {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      type: "Warning",
      reason: "FailedCreate",
      message,
      involvedObject,
    };
    const set = {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: { name: "r", namespace: "shop" },
      spec: { replicas: 1 },
      status: {},
    };
    const why = whyOf(set, { now: "2026-01-01T12:00:00Z", events: [event] });
    expect(renderEnglish(why?.message)).toContain("word");
    expect(JSON.stringify(why)).not.toContain("hunt");
  },
);

test("W21: a type that is too long to be kept in the cache means what it means", () => {
  const type = `${"x".repeat(500)}Failed`;
  for (const time of ["first", "second"]) {
    const result = health(widget([{ type, status: "True", reason: time, message: "" }]), { now: "2026-01-01T12:00:00Z" });
    expect(result).toMatchObject({ status: "Degraded", reason: time });
  }
});

function widget(conditions: readonly object[]): KubeObject {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, status: { conditions } };
}
