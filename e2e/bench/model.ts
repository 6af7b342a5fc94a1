import { loadavg } from "node:os";

import { buildGraph, EDGE_PACKS, idOf, type ResourceGraph } from "@binnacle/graph";
import { health } from "@binnacle/health";
import type { KubeObject } from "@binnacle/kube";

import { explainFigures } from "./explain.ts";
import { printFigures, type Figure } from "./goals.ts";
import { longTextFigures } from "./long-texts.ts";
import { luaFigures } from "./lua.ts";
import { median } from "./statistics.ts";
import { withTools } from "./tool-objects.ts";
import { customObject, modelObjects, podUpdate } from "./view-model.ts";

/** Until the engine has compiled what matters: the first rounds of a graph take twice as long. */
const WARM_UP = 8;
const RUNS = 5;
/** Builds measured together: the collector comes every second build or so, and would else always meet the same of two works. */
const BUILDS = 4;
const CUSTOM_CALLS = 10_000;
const UPDATES = 1_000;
const NOW = "2026-01-02T00:00:00Z";

/** Median of the warm runs of what `run` measures. */
function medianOf(run: () => number): number {
  for (let warm = 0; warm < WARM_UP; warm += 1) run();
  return median(Array.from({ length: RUNS }, run));
}

/** Own CPU time of some work in milliseconds: others on the machine do not count. */
function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function wallMs(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

/** Mean µs of CPU of health() per object, with the relatives that a view would hand it. */
function healthUs(objects: readonly { readonly object: KubeObject; readonly related: readonly KubeObject[] }[]): number {
  const work = (): void => {
    for (const { object, related } of objects) health(object, { now: NOW, related });
  };
  return medianOf(() => (cpuMs(work) * 1000) / objects.length);
}

/** Mean µs of CPU until a changed pod is in the graph and the changes that follow are known. */
function updateUs(graph: ResourceGraph, pods: readonly KubeObject[]): number {
  let round = 1;
  return medianOf(() => {
    const updates = Array.from({ length: UPDATES }, (_, index) => pods[index % pods.length] ?? []).flat();
    const changed = updates.map((pod) => podUpdate(pod, (round += 1)));
    const spent = cpuMs(() => {
      for (const pod of changed) {
        graph.upsert(pod);
        graph.takeChanges();
      }
    });
    return (spent * 1000) / changed.length;
  });
}

/** All packs of edges, as a dashboard has them. */
const PACKED = EDGE_PACKS.flatMap(({ rules }) => rules);

function buildPacked(objects: readonly KubeObject[]): ResourceGraph {
  return buildGraph(objects, [], PACKED);
}

/** CPU of two works in turns, so that both meet the same machine: medians, and the median of how often the first is the second. */
function inTurns(first: () => void, second: () => void): { readonly firstMs: number; readonly secondMs: number; readonly ratio: number } {
  let count = 0;
  const builds = (work: () => void): number =>
    cpuMs(() => {
      for (let built = 0; built < BUILDS; built += 1) work();
    }) / BUILDS;
  const turn = (): readonly [number, number] => {
    // Each cleans up after the other as often.
    if ((count += 1) % 2 === 0) return [builds(first), builds(second)];
    const other = builds(second);
    return [builds(first), other];
  };
  for (let warm = 0; warm < WARM_UP; warm += BUILDS) turn();
  const turns = Array.from({ length: 2 * RUNS + 1 }, turn);
  return {
    firstMs: median(turns.map(([one]) => one)),
    secondMs: median(turns.map(([, other]) => other)),
    ratio: median(turns.map(([one, other]) => one / other)),
  };
}

/** Building the dependency graph of 10,000 objects, with nothing else in memory that the collector would have to walk. */
function buildFigures(objects: readonly KubeObject[]): readonly Figure[] {
  const texts = objects.map((object) => JSON.stringify(object));
  // What the machine of the moment is worth: the cheapest thing that anybody does with these objects.
  const parse = (): void => void texts.map((text) => JSON.parse(text) as KubeObject); // It was one.
  const build = (): void => void buildGraph(objects).ownerRings();
  const tools = withTools(objects);
  const plain = inTurns(() => void buildPacked(objects).ownerRings(), build);
  const packed = inTurns(
    () => void buildPacked(tools).ownerRings(),
    () => void buildGraph(tools).ownerRings(),
  );
  return [
    {
      figure: `graph of ${objects.length} objects and ${buildGraph(objects).edges().length} edges, CPU`,
      value: plain.secondMs,
      unit: "ms",
      goal: 150,
    },
    { figure: "the same, wall", value: medianOf(() => wallMs(build)), unit: "ms" },
    { figure: "the same with all packs of edges on, CPU", value: plain.firstMs, unit: "ms", goal: 170 },
    { figure: "packs that find nothing to read, with against without", value: plain.ratio, unit: "×" },
    {
      figure: `as many objects, a quarter of them of tools, and ${buildPacked(tools).edges().length} edges, all packs on, CPU`,
      value: packed.firstMs,
      unit: "ms",
      goal: 170,
    },
    { figure: "the same objects of tools without packs, CPU", value: packed.secondMs, unit: "ms" },
    { figure: "packs that have a quarter to read, with against without", value: packed.ratio, unit: "×" },
    { figure: "the same objects parsed from JSON, CPU", value: medianOf(() => cpuMs(parse)), unit: "ms" },
  ];
}

/** Figures of building graphs alone. */
export function benchGraph(): Promise<void> {
  printFigures(`Graph, medians of warm runs (load ${(loadavg()[0] ?? Number.NaN).toFixed(1)})`, buildFigures(modelObjects()));
  return Promise.resolve();
}

/** Health of objects, and updates of the graph of them, in this process alone. */
function modelFigures(objects: readonly KubeObject[]): readonly Figure[] {
  const graph = buildGraph(objects);
  graph.takeChanges();
  const related = objects.map((object) => ({ object, related: graph.relatedOf(idOf(object)) }));
  const custom = { object: customObject(), related: [] };
  const customs = Array.from({ length: CUSTOM_CALLS }, () => custom);
  const pods = objects.filter(({ kind }) => kind === "Pod");
  return [
    { figure: "health of a built-in object, mean CPU", value: healthUs(related), unit: "µs", goal: 5 },
    { figure: "health of a custom resource, mean CPU", value: healthUs(customs), unit: "µs", goal: 30 },
    { figure: "one update of the graph, mean CPU", value: updateUs(graph, pods) / 1000, unit: "ms", goal: 0.2 },
  ];
}

/** Figures of health, user rules and graph without a cluster. */
export async function benchModel(): Promise<void> {
  const objects = modelObjects();
  printFigures(`Health and graph, medians of ${RUNS} warm runs (load ${(loadavg()[0] ?? Number.NaN).toFixed(1)})`, [
    ...buildFigures(objects),
    ...modelFigures(objects),
    ...longTextFigures(),
    ...(await luaFigures()),
    ...(await explainFigures()),
  ]);
}
