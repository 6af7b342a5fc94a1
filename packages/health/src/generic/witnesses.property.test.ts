import type { Fields } from "@binnacle/kube";
import fc from "fast-check";
import { expect, test } from "vitest";

import { frozen, oddJson } from "../odd-objects.ts";
import { ruleInputOf } from "../rule-input.ts";
import type { Verdict } from "../verdict.ts";
import { customResourceHealth } from "./custom-resource.ts";
import { isWorse } from "./opinion.ts";

/** Names that witnesses read, so that random objects get deep into them. */
const NAMES =
  "phase state syncStatus health conditions type status reason message observedGeneration members components history error errors healthy ready readyReplicas desiredReplicas unavailableReplicas size startTime completionTime spec strategy paused enabled partition replicas".split(
    " ",
  );
const TEXTS = "True False Unknown Ready Failed Running Pending Stopped Paused Updating BackupError NotReady 1/3 2 gone constructor".split(
  " ",
);
const json = oddJson(NAMES, TEXTS);
const NOTHING = { now: undefined, related: undefined };

function judge(object: Fields): Verdict | null {
  return customResourceHealth(ruleInputOf({ apiVersion: "works.example/v1", kind: "Kiln", ...object }, NOTHING));
}

test("never throws and never mutates, whatever the shapes; what it says is because of something", () => {
  fc.assert(
    fc.property(json, json, json, (spec, status, annotations) => {
      const verdict = judge(frozen({ metadata: { generation: 2, annotations }, spec, status }));
      expect(verdict?.because?.id ?? "because/").toMatch(/^because\//);
    }),
    { numRuns: 500 },
  );
});

test("the order of fields does not matter", () => {
  fc.assert(
    fc.property(json, json, (spec, status) => {
      const metadata = { generation: 2 };
      expect(judge({ metadata, spec: backwards(spec), status: backwards(status) })).toEqual(judge({ metadata, spec, status }));
    }),
    { numRuns: 500 },
  );
});

/** A word more, where no other word is lost by it. */
const WORDS: readonly (readonly [string, unknown])[] = [
  ["zzState", "Failed"],
  ["zzHealth", "Pending"],
  ["zzPhase", "Online"],
  ["zzMembers", [{ state: "Lost" }]],
  ["zzConditions", [{ type: "Stored", status: "False", reason: "DiskError" }]],
  ["failureText", { error: "the drum is full" }],
  ["unavailableDrums", 3],
];

test("a witness more can only make it worse, never better", () => {
  fc.assert(
    fc.property(json, fc.constantFrom(...WORDS), (status, [name, value]) => {
      const fields = { observedGeneration: 2, ...Object(status) };
      const before = judge({ metadata: { generation: 2 }, status: fields });
      const after = judge({ metadata: { generation: 2 }, status: { ...fields, [name]: value } });
      // A status that was not understood before may improve.
      if (before === null || before.reason === "NotUnderstood" || before.reason === "NotObserved") return;
      expect(after === null || isWorse(before.status, after.status)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test("of a wide status a thousand fields are read, and of a list fifty entries", () => {
  const read: string[] = [];
  const field = (name: string, object: object): object =>
    Object.defineProperty(object, name, {
      enumerable: true,
      get() {
        read.push(name);
        return "x";
      },
    });
  const status = {};
  for (let index = 0; index < 5_000; index += 1) field(`f${index}`, status);
  judge({ status });
  expect(read.length).toBeLessThanOrEqual(1_010);

  read.length = 0;
  judge({ status: { members: Array.from({ length: 500 }, () => field("g", {})) } });
  expect(read).toHaveLength(50);
});

test("of a deep status three levels are read", () => {
  let deep: Fields = { state: "Failed" };
  for (let level = 0; level < 1_000; level += 1) deep = { inner: deep };
  expect(judge({ status: { phase: "Ready", deep } })?.status).toBe("Healthy");
});

/** The same with the fields of every map in the opposite order. */
function backwards(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, backwards(inner)] as const)
      .toReversed(),
  );
}
