import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import type { KubeObject } from "@binnacle/kube";

import { health } from "./health.ts";
import type { HealthContext } from "./health-result.ts";
import { refOf } from "./health-ref.ts";
import { ruleIds, ruleOf } from "./rule-registry.ts";

const FIXTURES = new URL("../fixtures/health-cases/", import.meta.url);
const OWN = new URL("../fixtures/own-cases/", import.meta.url);

interface FileCase {
  readonly file: string;
  readonly expectedStatus: string | null;
  readonly scored?: boolean;
}

interface InlineCase {
  readonly name: string;
  readonly expectedStatus: string | null;
  readonly why: string;
  readonly context?: HealthContext;
  readonly resource: KubeObject;
}

function read(file: string): string {
  return readFileSync(new URL(file, FIXTURES), "utf8");
}

describe.each([
  ["cases.json", 54],
  ["cases-kstatus.json", 55],
])("%s", (name, scored) => {
  // The file is ours and has this shape; a wrong one fails below.
  const cases = (JSON.parse(read(name)) as FileCase[]).filter((entry) => entry.scored !== false);

  test(`scores ${scored} cases`, () => expect(cases).toHaveLength(scored));

  test.each(cases)("$file is $expectedStatus", ({ file, expectedStatus }) => {
    const resource: KubeObject = parse(read(file));
    const result = health(resource, { now: new Date() });
    expect(result?.status ?? null).toBe(expectedStatus);
  });
});

// The file is ours and has this shape; a wrong one fails below.
const { cases: ours } = JSON.parse(read("cases-ours.json")) as { cases: InlineCase[] };

/** One file each: adding a case is adding a file. */
const own = readdirSync(OWN).map((name) => {
  // The files are ours and have this shape; a wrong one fails below.
  const content = JSON.parse(readFileSync(new URL(name, OWN), "utf8")) as Omit<InlineCase, "name"> & { expectedReason?: string };
  return { name, ...content };
});

describe("cases-ours.json", () => {
  test("has 64 cases", () => expect(ours).toHaveLength(64));

  test.each(ours)("$name is $expectedStatus", ({ resource, context, expectedStatus }) => {
    const result = health(resource, context ?? { now: new Date() });
    expect(result?.status ?? null).toBe(expectedStatus);
  });
});

interface ReportCase extends InlineCase {
  /** Other answers that are right. */
  readonly accept?: readonly string[];
}

// The file is ours and has this shape; a wrong one fails below.
const { cases: reports } = JSON.parse(read("cases-reports.json")) as { cases: ReportCase[] };

describe("cases-reports.json", () => {
  test("has 13 cases", () => expect(reports).toHaveLength(13));

  test.each(reports)("$name", ({ resource, context, expectedStatus, accept = [] }) => {
    const result = health(resource, context ?? { now: new Date() });
    expect([expectedStatus ?? "None", ...accept]).toContain(result?.status ?? "None");
  });
});

describe("own cases", () => {
  test.each(own)("$name is $expectedStatus", ({ resource, context, expectedStatus, expectedReason }) => {
    const result = health(resource, context ?? { now: new Date() });
    expect(result?.status ?? null).toBe(expectedStatus);
    expect(result?.reason).toBe(expectedReason ?? result?.reason);
  });
});

test("every rule has a case that is Healthy and one that is not", () => {
  const files = ["cases.json", "cases-kstatus.json"].flatMap((name) => JSON.parse(read(name)) as FileCase[]);
  const all = [
    ...files.filter(({ scored }) => scored !== false).map(({ file, expectedStatus }) => ({ resource: parse(read(file)), expectedStatus })),
    ...ours,
    ...own,
  ];
  const lacking = new Set(ruleIds().flatMap((id) => [`${id} Healthy`, `${id} not Healthy`]));
  for (const { resource, expectedStatus } of all) {
    const { group, kind } = refOf(resource);
    if (expectedStatus !== null) lacking.delete(`${ruleOf(group, kind)?.id} ${expectedStatus === "Healthy" ? "Healthy" : "not Healthy"}`);
  }
  expect([...lacking]).toEqual([]);
});
