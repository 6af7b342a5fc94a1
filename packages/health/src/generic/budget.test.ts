import { expect, test } from "vitest";

import { health } from "../health.ts";

const NOW = "2026-01-01T12:00:00Z";

/** A map of so many fields that counts how often one of them is read. */
function wide(fields: number, looks: { count: number }, value: (index: number) => unknown = () => "x"): Record<string, string> {
  const map: Record<string, string> = {};
  for (let index = 0; index < fields; index += 1) {
    const get = (): unknown => {
      looks.count += 1;
      return value(index);
    };
    Object.defineProperty(map, `f${index}`, { enumerable: true, configurable: true, get });
  }
  return map;
}

function judge(status: object, spec: object = {}, annotations: Readonly<Record<string, string>> = {}) {
  const metadata = { name: "w", generation: 1, annotations };
  const verdict = health({ apiVersion: "x.io/v1", kind: "Widget", metadata, spec, status }, { now: NOW });
  return `${verdict?.status} ${verdict?.reason}`;
}

const TOO_MUCH = "Progressing NotUnderstood";
const SOUND = { type: "Ready", status: "True", reason: "Fine", message: "" };

test("of a status a thousand fields are read, and with one more it is never Healthy", () => {
  const looks = { count: 0 };
  expect(judge({ phase: "Ready", ...wide(999, looks) })).toBe("Healthy Ready");
  expect(judge({ phase: "Ready", ...wide(1_000, looks) })).toBe(TOO_MUCH);
  const status = wide(10_000, looks);
  looks.count = 0;
  expect(judge(status)).toBe(TOO_MUCH);
  expect(looks.count).toBeLessThanOrEqual(1_010);
});

test("maps below share the thousand fields", () => {
  const looks = { count: 0 };
  const groups = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`g${index}`, wide(40, looks)]));
  expect(judge({ phase: "Ready", ...groups })).toBe(TOO_MUCH);
  expect(looks.count).toBeLessThanOrEqual(1_010);
});

test("what is ill within the thousand fields is ill, whatever follows", () => {
  expect(judge({ phase: "Failed", ...wide(5_000, { count: 0 }) })).toBe("Degraded Failed");
});

test("a hundred conditions of its own are heard, and with one more it is never Healthy", () => {
  expect(judge({ conditions: Array.from({ length: 100 }, () => SOUND) })).toBe("Healthy Fine");
  expect(judge({ conditions: Array.from({ length: 101 }, () => SOUND) })).toBe(TOO_MUCH);
});

test("two hundred conditions below are read in all, and with one more it is never Healthy", () => {
  const looks = { count: 0 };
  const conditions = Array.from({ length: 5 }, () =>
    Object.defineProperty({ ...SOUND }, "message", {
      enumerable: true,
      get: () => String((looks.count += 1)),
    }),
  );
  const parents = (count: number): object => ({ phase: "Ready", parents: Array.from({ length: count }, () => ({ conditions })) });
  expect(judge(parents(40))).toMatch(/^Healthy /);
  looks.count = 0;
  expect(judge(parents(41))).toBe(TOO_MUCH);
  expect(looks.count).toBeLessThanOrEqual(200);
});

test("two hundred fields of a spec and two hundred annotations are checked for a switch, and with one more it is never Healthy", () => {
  const looks = { count: 0 };
  expect(
    judge(
      { phase: "Ready" },
      wide(200, looks, () => false),
    ),
  ).toBe("Healthy Ready");
  looks.count = 0;
  expect(
    judge(
      { phase: "Ready" },
      wide(20_000, looks, () => false),
    ),
  ).toBe(TOO_MUCH);
  expect(looks.count).toBeLessThanOrEqual(200);
  expect(judge({ phase: "Ready" }, {}, wide(201, looks))).toBe(TOO_MUCH);
  expect(judge({ phase: "Ready" }, { suspend: true, ...wide(20_000, looks) })).toBe("Suspended Suspended");
});
