import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { health, type HealthStatus } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

import { printFigures } from "./goals.ts";
import { printTable } from "./statistics.ts";

/** An object, and the status that a foreign hand-written rule gives it. */
export interface ForeignCase {
  readonly name: string;
  readonly expectedStatus: HealthStatus;
  readonly resource: KubeObject;
}

const NOW = "2026-01-01T12:00:00Z";

/** Reads `cases.json` of a directory, which is no part of this repository. @throws Error when it is not there */
export function readForeignCases(directory: string): readonly ForeignCase[] {
  // The file is an argument of this program; one of another shape throws in what follows.
  const { cases } = JSON.parse(readFileSync(resolve(directory, "cases.json"), "utf8")) as { readonly cases: readonly ForeignCase[] };
  return cases;
}

/** Prints how far `health` agrees, how often it is wrongly green or red, and what it answers where it should answer what. */
export function printAgreement(cases: readonly ForeignCase[]): void {
  const answers = cases.map(({ name, expectedStatus, resource }) => ({
    name,
    expected: expectedStatus,
    given: health(resource, { now: NOW })?.status ?? "–",
  }));
  const share = (all: typeof answers, some: (answer: (typeof answers)[number]) => boolean): number =>
    (100 * all.filter(some).length) / Math.max(1, all.length);
  const wrongly = (status: HealthStatus): number =>
    share(
      answers.filter(({ expected }) => expected !== status),
      ({ given }) => given === status,
    );
  printFigures(`Agreement with ${cases.length} foreign cases`, [
    { figure: "agreement (goal ≥ 78 %)", value: share(answers, ({ expected, given }) => expected === given), unit: "%" },
    { figure: "false Healthy, of those expected otherwise", value: wrongly("Healthy"), unit: "%", goal: 12 },
    { figure: "false Degraded, of those expected otherwise", value: wrongly("Degraded"), unit: "%", goal: 3 },
  ]);
  const given = [...new Set(answers.map((answer) => answer.given))].toSorted((one, other) => (one < other ? -1 : 1));
  const rows = [...new Set(answers.map(({ expected }) => expected))].map((expected) => {
    const all = answers.filter((answer) => answer.expected === expected);
    const counts = given.map((status) => [status, String(all.filter((answer) => answer.given === status).length)] as const);
    return {
      expected,
      cases: String(all.length),
      ...Object.fromEntries(counts),
      "agreement %": share(all, (answer) => answer.given === expected),
    };
  });
  printTable("What was expected (rows), and what was answered (columns; – is no opinion)", rows);
}
