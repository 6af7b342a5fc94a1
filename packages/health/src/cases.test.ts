import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import type { KubeObject } from "@binnacle/kube";

import { health } from "./health.ts";
import type { HealthContext } from "./health-result.ts";

const FIXTURES = new URL("../fixtures/health-cases/", import.meta.url);

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

describe("cases-ours.json", () => {
  // The file is ours and has this shape; a wrong one fails below.
  const { cases } = JSON.parse(read("cases-ours.json")) as { cases: InlineCase[] };

  test("has 64 cases", () => expect(cases).toHaveLength(64));

  test.each(cases)("$name is $expectedStatus", ({ resource, context, expectedStatus }) => {
    const result = health(resource, context ?? { now: new Date() });
    expect(result?.status ?? null).toBe(expectedStatus);
  });
});
