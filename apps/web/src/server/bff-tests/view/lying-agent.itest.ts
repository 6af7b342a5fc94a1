import { isDeepStrictEqual } from "node:util";

import { clone, type DescMessage } from "@bufbuild/protobuf";
import {
  AgentMomentSchema,
  EdgeSchema,
  EnvironmentEventSchema,
  EnvironmentHealthSchema,
  HealthStatus,
  NodeSchema,
  SettledState,
  WatchResponseSchema,
  type EnvironmentRow,
  type WatchEventsResponse,
  type WatchResponse,
} from "@binnacle/proto/dashboard";
import { ScopeSummarySchema } from "@binnacle/proto/kas-views";
import { checkMessage } from "@binnacle/proto/read-message";
import { HurriedClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { eventsAfter, NO_EVENTS, type EventsContent } from "../../../features/live/events-content.ts";
import { NumberedGraph } from "@binnacle/presentation/view/numbered-graph";
import { factsAfter, factsOf, type ViewFacts } from "@binnacle/presentation/view/view-facts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import { JSON_LIES, liesOf } from "../../testing/lies.ts";
import { LyingAgent, truthOf, type Entries, type LyingView } from "../../testing/lying-agent.ts";

/** Environments of the lying agent, one lie each at a time: those with open pages, and those that only the index shows. */
const LIARS = Array.from({ length: 8 }, (_, index) => `liar-${index}`);
const ROWS = Array.from({ length: 8 }, (_, index) => `row-${index}`);
const HONEST = "honest";
/** Their events are followed too. */
const FOLLOWED = LIARS.slice(0, 4);
const UTF8 = new TextEncoder();

/** What a browser has of all its pages, by one stream. */
class Browser {
  readonly pages = new Map<string, { readonly graph: NumberedGraph; facts: ViewFacts }>();
  readonly events = new Map<string, EventsContent>();
  readonly rows = new Map<string, EnvironmentRow>();
  /** Texts that must never be sent. */
  readonly wrong: unknown[] = [];
  ended: unknown;

  constructor(world: DashboardWorld) {
    this.#read(world).then(
      () => (this.ended = "ended"),
      (error: unknown) => (this.ended = error),
    );
  }

  reasons(environment: string): string[] {
    return [...(this.events.get(environment)?.events.values() ?? [])].map(({ event }) => event?.reason ?? "");
  }

  names(environment: string): string[] {
    return [...(this.pages.get(environment)?.graph.nodes.values() ?? [])].map(({ ref }) => ref?.name ?? "").toSorted();
  }

  async #read(world: DashboardWorld): Promise<void> {
    const all = [HONEST, ...LIARS];
    const projectPath = "group/app";
    const topics = [
      { id: 1, topic: { case: "environments" as const, value: { projectPath, visible: all, issues: true } } },
      ...FOLLOWED.map((environment, index) => ({
        id: 100 + index,
        topic: { case: "events" as const, value: { projectPath, environment } },
      })),
      ...all.map((environment, index) => ({ id: 3 + index, topic: { case: "environment" as const, value: { projectPath, environment } } })),
    ];
    for await (const response of world.clientWith().watch({ topics }, { signal: world.signal })) {
      this.#check(response);
      const { topic, message } = response;
      if (message.case === "environments") for (const row of message.value.rows) this.rows.set(row.environment?.name ?? "", row);
      else if (message.case === "events") this.#event(FOLLOWED[topic - 100] ?? "", message.value);
      else if (message.case === "environment") {
        const { message: inner } = message.value;
        const name = all[topic - 3] ?? "";
        const page = this.pages.get(name);
        if (inner.case === "snapshot") this.pages.set(name, { graph: new NumberedGraph(inner.value), facts: factsOf(inner.value) });
        else if (inner.case === "delta" && page) {
          page.graph.patch(inner.value);
          page.facts = factsAfter(page.facts, inner.value);
        } else if (inner.case === "problem") this.wrong.push([name, inner.value.words]);
      }
    }
  }

  #event(environment: string, message: WatchEventsResponse): void {
    if (message.problem) this.wrong.push(["events", message.problem.words]);
    this.events.set(environment, eventsAfter(this.events.get(environment) ?? NO_EVENTS, message));
  }

  /** Nothing is sent that a browser could not show: no time of no calendar, no word of no contract, no text without an end. */
  #check(response: WatchResponse): void {
    const checked = checkMessage(WatchResponseSchema, clone(WatchResponseSchema, response));
    if (!isDeepStrictEqual(checked, response)) this.wrong.push(response);
  }
}

let world: DashboardWorld;
let agent: LyingAgent;
let clock: HurriedClock;
let browser: Browser;
beforeEach(async () => {
  world = await DashboardWorld.open();
  world.kas.agents.add("4");
  const environment = (name: string, id: number, agentId: number) => ({ id, name, namespace: name, agentId });
  world.main.environments = [environment(HONEST, 1, 3), ...[...LIARS, ...ROWS].map((name, index) => environment(name, 2 + index, 4))];
  agent = new LyingAgent(world.kas);
  clock = new HurriedClock();
  world.start(clock, { views: { ...world.config.views, of_agents: "prefer" } });
  browser = new Browser(world);
  await until(
    () =>
      [HONEST, ...LIARS].every((name) => browser.names(name).includes("mark-0")) &&
      FOLLOWED.every((name) => browser.reasons(name).length === 1),
  );
  await hurry(() => ROWS.every((name) => agent.isFollowed("summary", name) && browser.rows.get(name)?.live === true));
});
afterEach(() => world.close());

/** Rows are sent twice a second; the test does not wait for that. */
async function hurry(is: () => boolean): Promise<void> {
  await until(() => {
    if (is()) return true;
    clock.skip(50);
    return false;
  });
}

/** Lies about each entry of a view, in turn. */
function liesAbout(what: LyingView): Map<string, Uint8Array[]> {
  const truth = truthOf(what, 0);
  const messages: Record<string, DescMessage> = {
    "n/1": NodeSchema,
    "n/2": NodeSchema,
    "n/3": NodeSchema,
    "e/1": EdgeSchema,
    health: EnvironmentHealthSchema,
    "e/e": EnvironmentEventSchema,
    "life/1": AgentMomentSchema,
    summary: ScopeSummarySchema,
  };
  return new Map(
    [...truth].map(([key, value]) => {
      const schema = messages[key];
      if (schema !== undefined) return [key, liesOf(schema, value).map(({ bytes }) => bytes)];
      if (key === "view") return [key, [UTF8.encode("another"), new Uint8Array(3_000_000), new Uint8Array()]];
      return [key, jsonLies(value)];
    }),
  );
}

/** Lies about a value in JSON, and about each of its fields. */
function jsonLies(honest: Uint8Array): Uint8Array[] {
  const value: unknown = JSON.parse(new TextDecoder().decode(honest));
  const lies = JSON_LIES.map((lie) => JSON.stringify(lie));
  if (typeof value === "object" && value !== null)
    for (const name of [...Object.keys(value), "stale", "words", "retryAtMs"]) {
      lies.push(JSON.stringify({ ...value, [name]: undefined }));
      for (const lie of JSON_LIES) lies.push(JSON.stringify({ ...value, [name]: lie }));
      for (const lie of JSON_LIES)
        lies.push(JSON.stringify({ ...value, [name]: { sinceMs: 1, cause: "way", words: lie, id: "a", facts: { a: lie } } }));
    }
  return ["{", "", '{"__proto__":{"state":"connected","sinceMs":1}}', ...lies].map((text) => UTF8.encode(text));
}

/** Tells the lies of one round: one about each entry that has some left. @returns whether there was any */
function lie(what: LyingView, namespace: string, about: Map<string, Uint8Array[]>): boolean {
  const entries = new Map<string, Uint8Array>();
  for (const [key, lies] of about) {
    const next = lies.pop();
    if (next !== undefined) entries.set(key, next);
  }
  if (entries.size > 0) agent.tell(what, namespace, { entries });
  return entries.size > 0;
}

async function healed(mark: number): Promise<void> {
  const name = `mark-${mark}`;
  await until(() => browser.ended !== undefined || LIARS.every((each) => browser.names(each).includes(name)));
  await until(() => browser.ended !== undefined || FOLLOWED.every((each) => browser.reasons(each).join() === name));
  await hurry(() => browser.ended !== undefined || ROWS.every((each) => browser.rows.get(each)?.workloads === mark));
}

test("T40: whatever an agent says of anything, other topics live, and what is true is shown with the next update", async () => {
  const [environments, events, summaries] = [liesAbout("environment"), liesAbout("events"), liesAbout("summary")];
  const truth = browserTruth(0);
  let isLying = true;
  for (let mark = 1; isLying; mark += 1) {
    isLying = false;
    for (const each of LIARS) isLying = lie("environment", each, environments) || isLying;
    for (const each of ROWS) isLying = lie("summary", each, summaries) || isLying;
    for (const each of FOLLOWED) isLying = lie("events", each, events) || isLying;
    // The neighbour receives the true state, whether the lies are accepted or not.
    agent.tell("environment", HONEST, { entries: truthOf("environment", mark) });
    await until(() => browser.ended !== undefined || browser.names(HONEST).includes(`mark-${mark}`));
    for (const each of LIARS) agent.tell("environment", each, { entries: truthOf("environment", mark) });
    for (const each of ROWS) agent.tell("summary", each, { entries: truthOf("summary", mark) });
    for (const each of FOLLOWED) agent.tell("events", each, { entries: truthOf("events", mark) });
    await healed(mark);
    expect([browser.ended, browser.wrong]).toEqual([undefined, []]);
    for (const each of [HONEST, ...LIARS]) expect(shown(each, mark)).toEqual(truth);
    for (const each of ROWS) expect(rowOf(each)).toEqual([true, HealthStatus.HEALTHY, false, 1_767_225_600n]);
  }
}, 60_000);

/** What a browser shows of an environment, but for which truth it is. */
function shown(environment: string, mark: number): unknown {
  const page = browser.pages.get(environment);
  return {
    names: browser.names(environment).map((name) => name.replace(`mark-${mark}`, "mark")),
    edges: page?.graph.edges.size,
    owners: [...(page?.graph.nodes.values() ?? [])].filter(({ ownerId }) => ownerId !== 0).length,
    sources: (page?.facts.sources ?? []).map(({ resource, settled, staleSince }) => [resource, settled, staleSince]),
    health: [page?.facts.health?.status, page?.facts.health?.partial],
    complete: page?.facts.complete,
  };
}

function rowOf(environment: string): unknown {
  const row = browser.rows.get(environment);
  return [row?.live, row?.health?.status, row?.health?.partial, row?.lastChange?.seconds];
}

function browserTruth(mark: number): unknown {
  const truth = shown(HONEST, mark);
  expect(truth).toMatchObject({
    names: ["mark", "one", "two"],
    edges: 1,
    owners: 1,
    sources: [["pods", SettledState.LIVE, undefined]],
    health: [HealthStatus.HEALTHY, false],
    complete: true,
  });
  return truth;
}

test("T40: fifty thousand sources, nodes that own each other and two of one name end nothing, and are gone with the next whole picture", async () => {
  const truth = browserTruth(0);
  const sources: [string, Uint8Array][] = Array.from({ length: 50_000 }, (_, index) => [
    `s/x/${index}/n`,
    UTF8.encode('{"settled":"live"}'),
  ]);
  const honest = truthOf("environment", 0);
  const [one, two] = [honest.get("n/1"), honest.get("n/2")] as [Uint8Array, Uint8Array];
  const swapped: Entries = new Map([
    ...sources,
    ["n/1", two],
    ["n/9", one],
    ["e/9", new Uint8Array([8, 9])],
    ["n/x", one],
    ["__proto__", one],
  ]);
  agent.tell("environment", "liar-0", { entries: swapped });
  agent.tell("environment", HONEST, { entries: truthOf("environment", 1) });
  await until(() => browser.names(HONEST).includes("mark-1"));
  for (const [reset, mark] of [
    [true, 2],
    [false, 3],
  ] as const) {
    agent.tell("environment", "liar-0", { entries: truthOf("environment", mark), reset });
    await until(() => browser.names("liar-0").includes(`mark-${mark}`));
    expect(shown("liar-0", mark)).toEqual(truth);
  }
  expect([browser.ended, browser.wrong]).toEqual([undefined, []]);
});
