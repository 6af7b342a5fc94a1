import { ProblemKind } from "@binnacle/proto/dashboard";
import { HurriedClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { StandInMainApplication } from "../../gitlab/testing/stand-in-main-application.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";
import { messageText } from "../../../ui/messages.ts";

let world: DashboardWorld;
let clock: HurriedClock;

beforeEach(async () => {
  world = await DashboardWorld.open(["maintainer"]);
  clock = new HurriedClock();
  world.start(clock);
  put("first");
});
afterEach(() => world.close());

function put(name: string): void {
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name } });
}

const FAILURES: readonly (readonly [string, NonNullable<StandInMainApplication["graphqlAnswer"]>, RegExp])[] = [
  ["too many requests", { status: 429, headers: { "retry-after": "20" }, body: "Retry later" }, /accepts no more requests for now/],
  ["an error page", { status: 502, headers: { "content-type": "text/html" }, body: "<html>" }, /an error of its own \(status 502\)/],
  ["a page in place of data", { status: 200, body: "<html>" }, /web page instead of data/],
  ["JSON that breaks off", { status: 200, body: '{"data":' }, /broke off/],
  ["an answer without end", { status: 200, body: `{"data":"${"x".repeat(9 * 1024 * 1024)}"}` }, /larger than is read/],
  [
    "a query that is too complex",
    { status: 200, body: JSON.stringify({ errors: [{ message: "Query has complexity of 300, which exceeds max complexity of 250" }] }) },
    /too complex/,
  ],
];

test.each(FAILURES)("while GitLab answers with %s, an open page goes on and a new one says what it is", async (_, answer, sentence) => {
  const tab = await world.openTab();
  world.main.graphqlAnswer = answer;
  const before = world.main.requests.length;
  // A poll of the environment fails.
  await clock.skipUntil(() => world.main.requests.length > before, 5_000);
  put("second");
  await tab.until(({ nodes }) => [...nodes.values()].some(({ ref }) => ref?.name === "second"));
  const late = world.anotherTab(world.signal);
  await until(() => late.problem !== undefined);
  expect([late.problem?.kind, messageText(late.problem?.words)]).toEqual([ProblemKind.UNAVAILABLE, expect.stringMatching(sentence)]);
  expect(tab.problem).toBeUndefined();
  world.main.graphqlAnswer = undefined;
  clock.skip(60_000);
  await world.openTab();
});

test("of a GitLab before 16.1 a page and a row say that it reports no agents, and from which version on it does", async () => {
  world.main.lacks.add("clusterAgent").add("kubernetesNamespace");
  const sentence = "This version of the main application does not report which agent an environment has; GitLab does since 16.1.";
  const tab = world.anotherTab(world.signal);
  await until(() => tab.problem !== undefined);
  expect([tab.problem?.kind, messageText(tab.problem?.words)]).toEqual([ProblemKind.NO_AGENT, sentence]);
  const { projectPath } = NAMES;
  const first: string[] = [];
  for await (const { rows } of world.clientWith().watchEnvironments({ projectPath }, { signal: world.signal })) {
    first.push(...rows.map(({ problem }) => messageText(problem?.words)));
    if (first.length > 0) break;
  }
  expect(first).toEqual([sentence]);
});
