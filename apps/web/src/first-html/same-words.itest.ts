import type { ServerResponse } from "node:http";

import { createStatus } from "@binnacle/kube";
import { ConnectionState, type EnvironmentRow, type SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { ManualClock, settle, until } from "@binnacle/testing";
import { createElement, Fragment, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Banners } from "../features/environment/banners.tsx";
import { ConnectionPill, HealthPill } from "../features/environment/pills.tsx";
import { StoreProvider } from "../features/live/environment-context.tsx";
import { EnvironmentStore } from "../features/live/environment-store.ts";
import { firstViewOf } from "@binnacle/presentation/view/first-view";
import { freshnessOf, type Freshness } from "@binnacle/presentation/view/freshness";
import type { DashboardTab } from "../server/testing/dashboard-tab.ts";
import { NAMES } from "../server/testing/dashboard-tab.ts";
import { DashboardWorld } from "../server/testing/dashboard-world.ts";
import { firstEnvironment } from "./environment-document.tsx";
import { firstEnvironments } from "./index-document.tsx";

const DEVELOPER = "_gitlab_session=session-developer";
const OUTSIDER = "_gitlab_session=session-outsider";
/** A page with an answer of its server may be grey for so long. */
const MAX_GREY_MS = 2_000;

let world: DashboardWorld;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  world = await DashboardWorld.open(["maintainer", "developer", "outsider"]);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
  world.kas.gitops = (_project, response) => json(response, 200, { syncs: [] });
});
afterEach(() => world.close());

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function refuse(response: ServerResponse, code: number, reason: string): void {
  response.setHeader("kas-refusal", reason);
  json(response, code, createStatus(code, `the ${reason}`, { details: { causes: [{ reason }] } }));
}

/** No server answers; running responses end. */
function freeze(): void {
  world.kas.cluster = () => undefined;
  world.kas.cut();
}

/** What is unavailable, and how a page that is open hears of it. */
const BREAKS = {
  "agent offline": () => {
    world.kas.offline = true;
    world.kas.cut();
  },
  "API server dead": () => {
    world.kas.cluster = (_request, response) => refuse(response, 504, "cluster_silent");
    world.kas.cut();
  },
  "kas unreachable": () => world.kas.close(),
  "agent frozen": async () => {
    world.kas.offline = true;
    world.kas.cut();
    await until(() => (clock.advance(10), open().some(isAway)));
    world.kas.offline = false;
    freeze();
  },
};

let tab: DashboardTab;
function open(): DashboardTab["messages"] {
  return tab.messages;
}

function isAway({ message }: DashboardTab["messages"][number]): boolean {
  const connection =
    message.case === "connection"
      ? message.value
      : message.case === "snapshot" || message.case === "delta"
        ? message.value.connection
        : undefined;
  const state = connection?.state ?? ConnectionState.UNSPECIFIED;
  return state === ConnectionState.AGENT_OFFLINE || state === ConnectionState.API_DOWN || state === ConnectionState.KAS_UNREACHABLE;
}

/** The maintainer has the page open and sees all of it. */
async function look(): Promise<void> {
  tab = world.tab({}, clock, world.signal);
  await until(() => (clock.advance(10), tab.isComplete() && tab.nodes.size === 1));
}

/** Work is done while time passes, at most so much. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const startMs = clock.now();
  const over = new AbortController();
  void work.then(
    () => over.abort(),
    () => over.abort(),
  );
  while (!over.signal.aborted && clock.now() - startMs < ms) {
    await settle();
    // Requests to the stand-ins take real time.
    await new Promise((resolve) => setTimeout(resolve, 2));
    clock.advance(10);
  }
  if (!over.signal.aborted) throw new Error(`it took longer than ${ms} ms`);
  return work;
}

/** Everything that a page says of the connection and of how old it is, as text. */
function wordsOf(store: EnvironmentStore): string {
  const view = store.view();
  const freshness = freshnessOf(view, view.lastMessageMs || view.sentAtMs);
  const parts: FunctionComponent<{ readonly freshness: Freshness }>[] = [Banners, HealthPill, ConnectionPill];
  const content = createElement(Fragment, null, ...parts.map((part) => createElement(part, { key: part.name, freshness })));
  // oxlint-disable-next-line react/no-children-prop -- integration tests have no JSX
  const page = createElement(StoreProvider, { store, children: content });
  return renderToStaticMarkup(page)
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function fresh(first?: SummarizeEnvironmentResponse): EnvironmentStore {
  return new EnvironmentStore((flush) => flush(), first === undefined ? {} : firstViewOf(first));
}

/** What the first HTML is made of, or what follows in the same answer. */
async function sentWith(cookie?: string): Promise<SummarizeEnvironmentResponse | undefined> {
  const { first, later } = await within(400, firstEnvironment(world.clientWith(cookie), NAMES, clock));
  return later === undefined ? first : within(MAX_GREY_MS, later);
}

/** The store of a page opened now, once its stream says so. */
async function streamed(cookie: string | undefined, isEnough: (tab: DashboardTab) => boolean): Promise<EnvironmentStore> {
  const store = fresh();
  const page = world.anotherTab(world.signal, cookie);
  await within(MAX_GREY_MS, page.until(isEnough));
  for (const message of page.messages) store.apply(message, clock.now());
  return store;
}

describe("S7: the first HTML says word for word what the stream says", () => {
  const picture = /This is the last known state, of .* Health (?!Not known).*, as of/;
  test.each([
    ["agent offline", /Agent demo has been offline since/, picture],
    ["API server dead", /the Kubernetes API behind it has not answered since/, picture],
    ["kas unreachable", /agent server\) has not answered since/, /Nothing has been read yet/],
    ["agent frozen", /Agent demo has been offline since/, picture],
  ] as const)("%s", async (name, cause, shown) => {
    await look();
    await BREAKS[name]();
    await until(() => (clock.advance(10), open().some(isAway)));
    const { first, later } = await within(400, firstEnvironment(world.clientWith(), NAMES, clock));
    expect(later, "it is known at once").toBeUndefined();
    const html = wordsOf(fresh(first));
    const stream = wordsOf(await streamed(undefined, ({ messages }) => messages.some(isAway)));
    expect(html).toBe(stream);
    expect(html).toMatch(cause);
    expect(html).toMatch(shown);
  });

  test("an agent that does not answer, for an unknown reason: the last picture within two seconds, dated", async () => {
    await look();
    freeze();
    // Both are dated by the second of the request.
    const untimed = (text: string): string => text.replaceAll(/:\d\d UTC/g, " UTC");
    const html = untimed(wordsOf(fresh(await sentWith())));
    const stream = untimed(wordsOf(await streamed(undefined, ({ nodes }) => nodes.size > 0)));
    expect(html).toContain("Connection Reconnecting");
    expect(html).not.toContain("Not known yet");
    expect(html).toBe(stream);
  });

  test("the rows of the index: unavailable, since when, with the numbers of then", async () => {
    await look();
    await BREAKS["agent frozen"]();
    const rows = async (): Promise<readonly EnvironmentRow[]> => {
      const asking = firstEnvironments(world.clientWith(), NAMES.projectPath, clock);
      return (await within(400, asking))?.rows ?? [];
    };
    const [row] = await rows();
    expect(row?.connection?.state).toBe(ConnectionState.AGENT_OFFLINE);
    expect(row?.connection?.since).toBeDefined();
    expect(row?.health).toBeDefined();
    expect(row?.live).toBe(false);
  });
});

test("T52: the state of an agent is sent at once only to viewers who may use it, and its last snapshot only to an authorized identity", async () => {
  await look();
  await BREAKS["agent frozen"]();
  const developer = await sentWith(DEVELOPER);
  expect(developer?.connection?.state).toBe(ConnectionState.AGENT_OFFLINE);
  expect(developer?.health).toBeUndefined();
  const outsider = world.anotherTab(world.signal, OUTSIDER);
  await within(
    MAX_GREY_MS,
    outsider.until(({ problem }) => problem !== undefined),
  );
  expect(outsider.messages.some(isAway)).toBe(false);
});
