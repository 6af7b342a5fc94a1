import { afterEach, expect, test, vi } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { headOf, maskCredentials } from "../mask-credentials.ts";
import { whyOf } from "./why-of.ts";

const NOW = "2026-01-01T12:00:00Z";
const PARTS = ["aing", "password ", "apikey:", "://a:", " is invalid: \n", "exceeded quota: a, requested: ", "bearer 1", "A"];
/** In all forms that are known by what stands around them. */
const CREDENTIALS = [
  "postgres://shop:hunter22@db",
  "Bearer hunter22hunter",
  "password='hunter22'",
  '"api-key": "hunter22"',
  "glpat-hunter22hunter",
];

afterEach(() => vi.restoreAllMocks());

function replicaSet(status: object): KubeObject {
  return { apiVersion: "apps/v1", kind: "ReplicaSet", metadata: { name: "r", namespace: "shop" }, spec: { replicas: 1 }, status };
}

function podThatSays(message: string): KubeObject {
  const state = { waiting: { reason: "CrashLoopBackOff", message } };
  const lastState = { terminated: { exitCode: 1, message } };
  const containerStatuses = [{ name: "app", restartCount: 3, state, lastState }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "r", namespace: "shop" }, status: { phase: "Running", containerStatuses } };
}

function eventThatSays(message: string): KubeObject {
  const involvedObject = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", namespace: "shop" };
  return { apiVersion: "v1", kind: "Event", metadata: { name: "e" }, type: "Warning", reason: "FailedCreate", message, involvedObject };
}

/** Objects that say the text themselves, and one about which an event says it. */
function explained(text: string): unknown[] {
  const condition = { type: "ReplicaFailure", status: "True", reason: "", message: text };
  return [
    whyOf(replicaSet({ conditions: [condition] }), { now: NOW }),
    whyOf(replicaSet({}), { now: NOW, events: [eventThatSays(text)] }),
    whyOf(podThatSays(text), { now: NOW }),
  ];
}

/** Characters that regular expressions are given, each text once for each expression. */
function charsRead(work: () => void): number {
  const exec = vi.spyOn(RegExp.prototype, "exec");
  work();
  const read = new Map<string, Set<string>>();
  for (const [index, [text]] of exec.mock.calls.entries()) {
    const expression = String(exec.mock.contexts[index]);
    read.set(expression, (read.get(expression) ?? new Set()).add(text));
  }
  vi.restoreAllMocks();
  return [...read.values()].flatMap((texts) => [...texts]).reduce((sum, { length }) => sum + length, 0);
}

test.each(PARTS)("W6: why-chains with %j a million times over read no more than with a tenth of it, and little", (part) => {
  const textOf = (chars: number): string => part.repeat(chars / part.length + 1).slice(0, chars);
  // Templates are read once, by the first.
  const [, some, much] = [100_000, 100_000, 1_000_000].map((chars) => charsRead(() => void explained(textOf(chars))));
  expect(much).toBe(some);
  expect(much).toBeLessThan(1_500_000);
});

test.each([8_192, 32_768, 65_536])("W6, T7: no half of a credential is quoted that stands %i characters into a report", (place) => {
  for (const credential of CREDENTIALS) {
    for (let before = 0; before < credential.length; before += 3) {
      // The part that is quoted begins shortly before the end of what is read.
      const head = "word ".repeat(place / 4).slice(0, place - before - 20);
      for (const text of [
        `${head} is invalid: x ${credential} ${"word ".repeat(2_000)}`,
        `${head} is invalid: ${credential}${"y".repeat(9_000)}`,
      ]) {
        expect(JSON.stringify(explained(text))).not.toContain("hunt");
      }
    }
  }
});

test.each([" ", "\n", '"', ","])(
  "the head of a text with %j before it holds no half of a credential, and is no longer than the limit",
  (sign) => {
    for (const credential of CREDENTIALS) {
      for (let begins = 0; begins < 400; begins += 1) {
        const text = `${"a".repeat(begins)}${sign}${credential}${"b".repeat(5_000)}`;
        const head = headOf(text, 300);
        expect(head.length).toBeLessThanOrEqual(301);
        expect(maskCredentials(head)).not.toContain("hunt");
      }
    }
  },
);

test("a text within the limit is its own head", () => expect(headOf("x password=hunter22", 19)).toBe("x password=hunter22"));
