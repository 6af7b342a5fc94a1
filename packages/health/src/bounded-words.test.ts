import type { KubeObject } from "@binnacle/kube";
import { isWords, QUOTED, quoted, words, type FactValue, type Words } from "@binnacle/words";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { boundedWords, IN_A_SENTENCE, FULL_TEXT } from "./bounded-words.ts";
import { health } from "./health.ts";
import { missingHealth } from "./missing-health.ts";
import { ODD_KINDS, oddJson } from "./odd-objects.ts";
import { rollUp } from "./roll-up.ts";
import { whyOf, noticesOf, whyMissing } from "./why/why-of.ts";

const NOW = "2026-01-01T12:00:00Z";
const SECRET = "hunter22hunter22";
/** Texts as a cluster may hold them where a name is expected: long, and with a credential in them. */
const TEXTS = [
  "True",
  "False",
  "Ready",
  "Pending",
  "Running",
  "Failed",
  "CrashLoopBackOff",
  `postgres://shop:${SECRET}@db`,
  `password=${SECRET}`,
  `${"word ".repeat(70)}token=${SECRET}`,
  `glpat-${SECRET}`.repeat(4_000),
  "x".repeat(100_000),
  `${"a ".repeat(20_000)}Bearer ${SECRET}`,
];
const NAMES =
  "name namespace kind apiVersion metadata type status reason message conditions phase containerStatuses state waiting terminated lastState exitCode spec nodeName finalizers deletionTimestamp containers image resources limits memory requests cpu readinessProbe httpGet path port selector scaleTargetRef rules backendRefs volumes managedFields manager time".split(
    " ",
  );

interface Leak {
  readonly id: string;
  readonly place: string;
  readonly chars: number;
}

/** Facts that are too long or hold a credential, anywhere in a value. */
function leaksIn(value: unknown): Leak[] {
  if (typeof value !== "object" || value === null) return [];
  if (!Array.isArray(value) && "id" in value && "facts" in value) {
    // Nothing else of what health answers has an id and facts.
    const message = value as Words;
    return Object.entries(message.facts).flatMap(([place, fact]) => leaksOf(message.id, place, fact));
  }
  return Object.values(value).flatMap(leaksIn);
}

function leaksOf(id: string, place: string, fact: FactValue | undefined): Leak[] {
  if (fact === undefined || typeof fact === "number") return [];
  if (typeof fact !== "string") return isWords(fact) ? leaksIn(fact) : fact.flatMap((each) => leaksOf(id, place, each));
  const most = id === QUOTED ? FULL_TEXT.max : IN_A_SENTENCE.max;
  return fact.length > most + 1 || fact.includes("hunter") ? [{ id, place, chars: fact.length }] : [];
}

describe("what leaves this package", () => {
  test("T7, W6: no fact is long and none holds a credential, wherever in the cluster it stood", { timeout: 60_000 }, () => {
    const odd = fc
      .record({
        kind: fc.constantFrom(...ODD_KINDS),
        metadata: oddJson(NAMES, TEXTS),
        spec: oddJson(NAMES, TEXTS),
        status: oddJson(NAMES, TEXTS),
      })
      .map(({ kind: [apiVersion, kind], metadata, spec, status }) => ({
        apiVersion,
        kind,
        metadata: { name: `password=${SECRET}`, namespace: "x".repeat(1_000), ...Object(metadata) },
        spec,
        status,
      }));
    const event = fc.record({
      message: fc.constantFrom(...TEXTS),
      reason: fc.constantFrom("FailedCreate", "FailedMount", "Failed", ...TEXTS),
    });
    fc.assert(
      fc.property(odd, fc.array(odd, { maxLength: 2 }), fc.array(event, { maxLength: 3 }), (resource, related, reports) => {
        const involvedObject = { kind: resource.kind, name: resource.metadata.name, namespace: resource.metadata.namespace };
        const events = reports.map((report) => ({
          apiVersion: "v1",
          kind: "Event",
          metadata: {},
          type: "Warning",
          involvedObject,
          ...report,
        }));
        const ref = { group: "", version: "v1", kind: "Secret", namespace: "", name: TEXTS.at(-1) ?? "" };
        // Odd on purpose: the rules take unknown input.
        const [object, context] = [resource as KubeObject, { now: NOW, related, events, missing: [ref] } as object as { now: string }];
        const [result, why] = [health(object, context), whyOf(object, context)];
        const issues = rollUp([{ ref, health: result, why }], { hidden: [{ group: "", kind: "Pod" }] });
        expect(leaksIn([result, why && { ...why, rootKey: "" }, noticesOf(object, context), issues])).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  test("T7: neither a ghost's name nor those of its holders are long or hold a credential", () => {
    const name = `${"y".repeat(1_000)} password=${SECRET}`;
    const ref = { group: "", version: "v1", kind: "Secret", namespace: "env", name };
    expect(leaksIn([missingHealth("Secret", name, [name, name, name, name]), whyMissing(ref, [ref, { ...ref, kind: name }])])).toEqual([]);
  });

  test("T7: what the caller says of the health before is masked, and so is what a rule of a user says", () => {
    const pod = { apiVersion: "v1", kind: "Widget", metadata: { name: "w" } };
    const given = { status: "Degraded", reason: "R", message: quoted(`password=${SECRET}`), stale: false, causes: [] } as const;
    const why = whyOf(pod, { now: NOW, health: given });
    expect(JSON.stringify(why)).toContain("password=*****");
    expect(JSON.stringify(boundedWords(words("rule/error", { said: quoted(`token=${SECRET}`) })))).not.toContain("hunter");
  });
});

describe("what a witness has seen", () => {
  const seen = (path: string, value: string): unknown =>
    boundedWords(words("because/field", { path, value }), IN_A_SENTENCE).facts["value"];

  test.each([
    "status.db.password",
    "status.adminPassword",
    "status.api_token",
    "status.users[0].clientSecret",
    "status.credentials",
    "status.accessKey",
    "status.keys.private-key",
    "status.PASSWORD",
  ])("T7: the value of %s is masked, as the name of the field says what it is", (path) => {
    expect(seen(path, "hunter")).toBe("*****");
  });

  test.each(["status.passwordState", "status.tokenError", "status.secrets[0].phase", "status.keyPhase", "status.bypass", "status.monkey"])(
    "the value of %s is a word about it",
    (path) => expect(seen(path, "Failed")).toBe("Failed"),
  );
});

describe("a message of an odd shape", () => {
  test.each([undefined, null, 5, [], {}, { id: 5, facts: {} }, { id: "crash/oom" }, { id: "crash/oom", facts: [] }])(
    "%j becomes an empty text",
    (message) => expect(boundedWords(message)).toEqual(quoted("")),
  );

  test("a text quotes itself, without its credentials", () => expect(boundedWords(`token=${SECRET}`)).toEqual(quoted("token=*****")));

  test("facts of no shape are left out, a ring ends, and a list says that there is more", () => {
    const ring: Record<string, unknown> = { id: "crash/oom", facts: {} };
    ring["facts"] = { ring, odd: true, nothing: null, many: Array.from({ length: 1_000 }, (_, n) => n) };
    const bounded = boundedWords(ring);
    expect(Object.keys(bounded.facts)).toEqual(["ring", "many"]);
    expect(bounded.facts["many"]).toHaveLength(33);
    expect(JSON.stringify(bounded).length).toBeLessThan(5_000);
  });
});
