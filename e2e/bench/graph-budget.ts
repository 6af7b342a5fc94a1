import { setTimeout as sleep } from "node:timers/promises";

import type { CDPSession, Page } from "playwright-core";

import { send, type BearerTarget } from "../support/bearer-request.ts";
import type { Figure } from "./goals.ts";
import { percentile } from "./statistics.ts";

const MIB = 1024 * 1024;
const CHANGES = 20;
/** Longer than the pace of deltas: each change is a delta of its own. */
const PACE_MS = 500;
const PAN_STEPS = 120;
const MAX_FOLDS = 10;
/** Worlds up to this size have the narrower budget. */
const MEDIUM = 500;

/** The longest tasks of a document, 0 where none took 50 ms. */
export interface LongestTasks {
  /** Of those that began before it was loaded: its scripts and styles are read. */
  readonly loadMs: number;
  readonly laterMs: number;
}

/** What was measured of the graph of one environment. Durations in ms. */
export interface GraphMeasures {
  /** Until the first card, when others look at it already. */
  readonly cardMs: number;
  /** While the page loads for the first time, and after that until its graph is there. */
  readonly opening: LongestTasks;
  readonly laterTaskMs: number;
  readonly mounted: number;
  readonly heapMib: number;
  readonly panFrameMs: number;
  readonly framesPerSecond: number;
  readonly deltaMs: number;
}

/** Each measure beside its budget (the table of budgets of the dashboard's design: a narrower one up to 500 resources). */
export function budgetOf(size: number, measures: GraphMeasures): readonly Figure[] {
  const [taskMs, cardMs, frameMs, heapMib] = size <= MEDIUM ? [100, 800, 20, 120] : [200, 1_500, 33, 250];
  const figures: readonly Figure[] = [
    { figure: "first card, from opening a page that others look at, median", value: measures.cardMs, unit: "ms", goal: cardMs },
    { figure: "longest task of the page while it loads for the first time", value: measures.opening.loadMs, unit: "ms" },
    { figure: "longest task after load, until the graph is there", value: measures.opening.laterMs, unit: "ms", goal: taskMs },
    { figure: "longest task while it is unfolded, moved and changed", value: measures.laterTaskMs, unit: "ms", goal: taskMs },
    { figure: "cards and lines in the page, unfolded", value: measures.mounted, unit: "", goal: 400 },
    { figure: "heap of the page, collected", value: measures.heapMib, unit: "MiB", goal: heapMib },
    { figure: "frame while it is moved, p95", value: measures.panFrameMs, unit: "ms", goal: frameMs },
    { figure: "frames a second meanwhile", value: measures.framesPerSecond, unit: "" },
    { figure: "time of the page's thread for each change", value: measures.deltaMs, unit: "ms" },
  ];
  return figures.map((each) => ({ ...each, figure: `${size} resources: ${each.figure}` }));
}

/** Notes the tasks of the page that take long (50 ms or more) from the next document on. @returns the longest since the last call */
export async function watchTasks(page: Page): Promise<() => Promise<LongestTasks>> {
  await page.addInitScript(() => {
    const tasks: PerformanceEntry[] = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: "longtask", buffered: true });
    Reflect.set(globalThis, "benchTasks", tasks);
  });
  return () => longestTasks(page);
}

function longestTasks(page: Page): Promise<LongestTasks> {
  return page.evaluate(() => {
    // A page has one navigation.
    const [{ loadEventEnd }] = performance.getEntriesByType("navigation") as [PerformanceNavigationTiming];
    const tasks = (Reflect.get(globalThis, "benchTasks") as PerformanceEntry[]).splice(0);
    const isLoad = ({ startTime }: PerformanceEntry): boolean => loadEventEnd === 0 || startTime < loadEventEnd;
    const longest = (of: PerformanceEntry[]): number => Math.max(0, ...of.map(({ duration }) => duration));
    return { loadMs: longest(tasks.filter(isLoad)), laterMs: longest(tasks.filter((task) => !isLoad(task))) };
  });
}

/** What one world is changed through. */
interface Changed {
  readonly target: BearerTarget;
  readonly namespace: string;
}

/** Unfolds the graph, moves it about, then has resources come and go in it. */
export async function operate(
  page: Page,
  changed: Changed,
): Promise<Pick<GraphMeasures, "laterTaskMs" | "mounted" | "panFrameMs" | "framesPerSecond" | "deltaMs">> {
  await unfold(page);
  const mounted = await page.locator(".react-flow__node, .react-flow__edge").count();
  const frames = await pan(page);
  const deltaMs = await changesCost(page, changed);
  const mean = frames.reduce((sum, each) => sum + each, 0) / frames.length;
  return {
    mounted,
    panFrameMs: percentile(frames, 0.95),
    framesPerSecond: 1000 / mean,
    deltaMs,
    laterTaskMs: (await longestTasks(page)).laterMs,
  };
}

/** Opens what is folded, the first fold each time. */
async function unfold(page: Page): Promise<void> {
  const folds = page.locator("[data-view-version] [data-fold]");
  for (let opened = 0; opened < MAX_FOLDS && (await folds.count()) > 0; opened += 1) {
    const id = (await folds.first().getAttribute("data-node-id")) ?? "";
    // As a key does: a card may lie under what stands in front of the picture.
    await folds.first().dispatchEvent("click");
    await page.locator(`[data-fold][data-node-id="${id}"]`).waitFor({ state: "detached" });
  }
}

/** Drags the graph to and fro. @returns how long each frame took, in ms */
async function pan(page: Page): Promise<readonly number[]> {
  const box = await page.locator(".react-flow__pane").boundingBox();
  if (box === null) throw new Error("there is no graph to move");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.evaluate(() => {
    const frames: number[] = [];
    let before = performance.now();
    const frame = (now: number): void => {
      frames.push(now - before);
      before = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    Reflect.set(globalThis, "benchFrames", frames);
  });
  const placeOf = (): Promise<string> => page.locator(".react-flow__viewport").evaluate((each) => each.getAttribute("style") ?? "");
  const start = await placeOf();
  await page.mouse.move(x, y);
  // The middle button moves it also where there is a card.
  await page.mouse.down({ button: "middle" });
  for (let step = 1; step <= PAN_STEPS; step += 1) {
    await page.mouse.move(x + Math.sin(step / 10) * (box.width / 3), y + Math.cos(step / 10) * (box.height / 3));
    if (step === PAN_STEPS / 2 && (await placeOf()) === start) throw new Error("the graph does not move");
  }
  await page.mouse.up({ button: "middle" });
  return page.evaluate(() => (Reflect.get(globalThis, "benchFrames") as number[]).slice(1));
}

/** ConfigMaps come one at a time. @returns time of the page's thread for each, beyond what it spends on nothing, in ms */
async function changesCost(page: Page, { target, namespace }: Changed): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable");
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const spent = async (each: (index: number) => Promise<void>): Promise<number> => {
    const before = await threadMs(devtools);
    for (let index = 0; index < CHANGES; index += 1) {
      await each(index);
      await sleep(PACE_MS);
    }
    return (await threadMs(devtools)) - before;
  };
  const nothing = await spent(() => Promise.resolve());
  const changes = await spent(async (index) => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `beat-${index}` }, data: {} };
    const answer = await send(target, path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(object),
    });
    await answer.body.dump();
    if (answer.statusCode !== 201) throw new Error(`${path} answered ${answer.statusCode}`);
  });
  await devtools.detach();
  return (changes - nothing) / CHANGES;
}

async function threadMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1000;
}

/** What the page's own thread holds after a collection. */
export async function settledHeapMib(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  await devtools.detach();
  return usedSize / MIB;
}
