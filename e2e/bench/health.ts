import { loadavg } from "node:os";

import { buildGraph, idOf } from "@binnacle/graph";
import { health } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

import { printFigures, type Figure } from "./goals.ts";
import { printAgreement, readForeignCases } from "./health-cases.ts";
import { hostileObjects } from "./hostile-objects.ts";
import { median } from "./statistics.ts";
import { customObject, modelObjects } from "./view-model.ts";

const NOW = "2026-01-01T12:00:00Z";
const WARM_UP = 8;
const RUNS = 7;
/** So many verdicts are measured at once, so that the clock is fine enough. */
const CALLS = 10_000;

/**
 * What `health` costs, and with `--cases DIR` how far it agrees with the cases of that directory.
 *
 * @param directory holds `cases.json`; absent: only cost
 */
export async function benchHealth(directory: string | undefined): Promise<void> {
  const cases = directory === undefined ? [] : readForeignCases(directory);
  if (cases.length > 0) printAgreement(cases);
  const objects = modelObjects();
  const graph = buildGraph(objects);
  const customs = cases.length > 0 ? cases.map(({ resource }) => resource) : [customObject()];
  printFigures(`Cost of health, CPU (load ${(loadavg()[0] ?? Number.NaN).toFixed(1)})`, [
    {
      figure: "a built-in object, mean",
      value: meanUs(objects.map((object) => ({ object, related: graph.relatedOf(idOf(object)) }))),
      unit: "µs",
      goal: 5,
    },
    {
      figure: `a custom resource, mean of ${customs.length}`,
      value: meanUs(customs.map((object) => ({ object }))),
      unit: "µs",
      goal: 30,
    },
    ...[...hostileObjects()].map(([name, text]) => hostileFigure(name, text)),
    // The speed of this machine, and the minimal cost of looking at such an object at all.
    ...[...hostileObjects()].slice(2, 3).flatMap(([name, text]) => [parseFigure(name, text), listFigure(name, text)]),
  ]);
}

function meanUs(given: readonly { readonly object: KubeObject; readonly related?: readonly KubeObject[] }[]): number {
  const rounds = Math.max(1, Math.round(CALLS / given.length));
  const work = (): void => {
    for (let round = 0; round < rounds; round += 1) {
      for (const { object, related } of given) health(object, related === undefined ? { now: NOW } : { now: NOW, related });
    }
  };
  for (let warm = 0; warm < WARM_UP; warm += 1) work();
  return median(Array.from({ length: RUNS }, () => cpuUs(work))) / (rounds * given.length);
}

/** The best of some runs, each of an object that was just read from JSON: what is slow once in a view is slow each time. */
function hostileFigure(name: string, text: string): Figure {
  const times = Array.from({ length: WARM_UP + RUNS }, () => {
    // It was one.
    const object = JSON.parse(text) as KubeObject;
    return cpuUs(() => health(object, { now: NOW })) / 1000;
  });
  return { figure: `256 KiB of ${name}`, value: median(times.slice(WARM_UP)), unit: "ms", goal: 2 };
}

function parseFigure(name: string, text: string): Figure {
  const times = Array.from({ length: RUNS }, () => cpuUs(() => void JSON.parse(text)) / 1000);
  return { figure: `${name}: only parsed from JSON`, value: median(times), unit: "ms" };
}

/** The engine lists all fields of a map before it gives the first: no walk over it is cheaper, however early it ends. */
function listFigure(name: string, text: string): Figure {
  const times = Array.from({ length: WARM_UP + RUNS }, () => {
    // It was one.
    const { status } = JSON.parse(text) as KubeObject;
    return cpuUs(() => void firstFieldOf(Object(status))) / 1000;
  });
  return { figure: `${name}: only the first field`, value: median(times.slice(WARM_UP)), unit: "ms" };
}

function firstFieldOf(fields: object): string | undefined {
  for (const name in fields) return name;
  return undefined;
}

function cpuUs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
