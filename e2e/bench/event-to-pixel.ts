import { setTimeout as sleep } from "node:timers/promises";

import type { Page } from "playwright-core";

import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { openSession } from "../support/dashboard-client.ts";
import { pick } from "../support/endpoints.ts";
import { graphUrl } from "../support/environment-page.ts";
import type { Sandbox } from "../support/sandbox.ts";
import type { Figure } from "./goals.ts";
import { openViewer } from "./raw-viewer.ts";
import { percentile, printTable } from "./statistics.ts";

const EVENTS = 40;
/** What is not painted by then is counted as missed. */
const PATIENCE_MS = 5_000;
/** Longer than the pace of deltas: nothing waits for what was before. */
const QUIET_MS = 600;
const ENVIRONMENT = "staging";
const GOAL_MS = 100;

/** When each event was received: by the name of what was created, in milliseconds since the epoch. */
type Heard = Map<string, number>;

declare global {
  interface Window {
    benchSeen: Map<string, number>;
  }
}

/**
 * Cluster event to pixel: from the API server's answer to a create until the name is painted in Chromium; beside it when a plain
 * watch of the API server and when a stream of the dashboard heard of the same event. The page is signed in.
 */
export async function eventToPixelFigures(page: Page, sandbox: Sandbox): Promise<readonly Figure[]> {
  const { environments, kubeconfigs } = sandbox.endpoints;
  const { namespace, project } = pick(environments, (entry) => entry.name === ENVIRONMENT);
  const target = targetOf(kubeconfigs.cluster);
  const stop = new AbortController();
  const [watched, streamed]: [Heard, Heard] = [new Map(), new Map()];
  hear(watchDirectly(target, namespace, stop.signal), watched);
  hear(watchStream(sandbox, project, stop.signal), streamed);
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const figures: Figure[] = [];
  const rows: Record<string, string | number>[] = [];
  for (const view of ["list", "graph"]) {
    await openPage(page, graphUrl(sandbox, ENVIRONMENT).replace("view=graph", `view=${view}`));
    for (const alone of [true, false]) {
      const samples = await eventsOf({ page, target, path, alone, prefix: `beat-${view}-${Number(alone)}-` });
      const after = (heard: Heard): number[] => samples.map(({ name, createdMs }) => (heard.get(name) ?? Number.NaN) - createdMs);
      const painted = samples.map(({ createdMs, paintedMs }) => paintedMs - createdMs).filter((ms) => !Number.isNaN(ms));
      const pace = alone ? "alone" : "right after another change";
      rows.push({
        event: `${view}, ${pace}`,
        "plain watch p50 ms": percentile(after(watched), 0.5),
        "stream p50 ms": percentile(after(streamed), 0.5),
        "stream p95 ms": percentile(after(streamed), 0.95),
        "pixel p50 ms": percentile(painted, 0.5),
        "pixel p95 ms": percentile(painted, 0.95),
        "pixel max ms": Math.max(...painted),
        missed: samples.length - painted.length,
      });
      for (const share of [0.5, 0.95]) {
        const figure = `event → pixel in the ${view}, ${pace}, p${share * 100}`;
        figures.push({ figure, value: percentile(painted, share), unit: "ms", goal: GOAL_MS });
      }
    }
  }
  stop.abort();
  printTable(`From the API server's answer to a create, ${EVENTS} events each`, rows);
  return figures;
}

/** Shows the environment, and notes in the page when each name is on the screen. */
async function openPage(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator("[data-node-id]").first().waitFor();
  await page.getByRole("searchbox").first().fill("beat-");
  await page.evaluate(() => {
    window.benchSeen = new Map();
    const look = (): void => {
      for (const name of document.body.innerText.match(/beat-\w+-\d+-\d+/g) ?? []) {
        if (window.benchSeen.has(name)) continue;
        window.benchSeen.set(name, Number.NaN);
        // Two frames later it is on the screen.
        requestAnimationFrame(() => requestAnimationFrame(() => window.benchSeen.set(name, performance.timeOrigin + performance.now())));
      }
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

interface Rhythm {
  readonly page: Page;
  readonly target: BearerTarget;
  readonly path: string;
  /** Nothing else changes before it; else another object goes a moment before. */
  readonly alone: boolean;
  readonly prefix: string;
}

/** ConfigMaps that come one at a time, each gone before the next: the list is virtual, only what is in view is painted. */
async function eventsOf(rhythm: Rhythm): Promise<{ readonly name: string; readonly createdMs: number; readonly paintedMs: number }[]> {
  const { page, target, path, alone, prefix } = rhythm;
  const samples = [];
  const remove = async (name: string): Promise<void> => {
    const deleted = await send(target, `${path}/${name}`, { method: "DELETE" });
    await deleted.body.dump();
  };
  for (let index = 0; index < EVENTS; index += 1) {
    const name = `${prefix}${index}`;
    await sleep(QUIET_MS);
    if (!alone && index > 0) await remove(`${prefix}${index - 1}`);
    const answer = await send(target, path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: {} }),
    });
    await answer.body.dump();
    const createdMs = performance.timeOrigin + performance.now();
    samples.push({ name, createdMs, paintedMs: await paintedAt(page, name) });
    if (alone || index === EVENTS - 1) await remove(name);
  }
  return samples;
}

/** When the name was on the screen; NaN when it never was. */
async function paintedAt(page: Page, name: string): Promise<number> {
  const seen = await page
    .waitForFunction(
      (wanted) => {
        const at = window.benchSeen.get(wanted);
        return at !== undefined && !Number.isNaN(at) ? at : undefined;
      },
      name,
      { timeout: PATIENCE_MS },
    )
    .catch(() => undefined);
  return seen === undefined ? Number.NaN : Number(await seen.jsonValue());
}

/** Notes when names come, until they end. */
function hear(names: AsyncIterable<string>, heard: Heard): void {
  const listen = async (): Promise<void> => {
    for await (const name of names) heard.set(name, heard.get(name) ?? performance.timeOrigin + performance.now());
  };
  // It ends by being aborted.
  listen().catch(() => undefined);
}

async function* watchDirectly(target: BearerTarget, namespace: string, signal: AbortSignal): AsyncGenerator<string> {
  const answer = await send(target, `/api/v1/namespaces/${namespace}/configmaps?watch=true`, { signal });
  for await (const chunk of answer.body) for (const [name] of String(chunk).matchAll(/beat-\w+-\d+-\d+/g)) yield name;
}

async function* watchStream(sandbox: Sandbox, project: string, signal: AbortSignal): AsyncGenerator<string> {
  const viewer = await openViewer(await openSession(sandbox, "maintainer"), { projectPath: project, environment: ENVIRONMENT });
  signal.addEventListener("abort", () => viewer.close(), { once: true });
  for await (const { message } of viewer.messages()) {
    if (message.case === "delta") for (const { ref } of message.value.upsertedNodes) yield ref?.name ?? "";
  }
}
