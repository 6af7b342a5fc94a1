// needs: control-plane, redis
// long: kills and waits for every process in turn, eight minutes
import type { Page } from "@playwright/test";

import { DeliveryStream, expectedDelivery } from "../restarts/delivery-stream.ts";
import { expectedEvent, expectedWords, falseEvents, short, type Knowledge } from "../restarts/expected-words.ts";
import { ENVIRONMENTS, projectOf, RestartWorld, type EnvironmentName } from "../restarts/restart-world.ts";
import { htmlWordsOf, readEvents, readHtml, readIssues, readRow, readSummary, rowOf, watchForFalseWords } from "../restarts/shown-words.ts";
import { clientOf, openSession, type DashboardSession } from "../support/dashboard-client.ts";
import { pick } from "../support/endpoints.ts";
import { signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

let world: RestartWorld;
let session: DashboardSession;
const streams = new Map<EnvironmentName, DeliveryStream>();

test.beforeAll(async ({ cluster }) => {
  test.setTimeout(240_000);
  world = await RestartWorld.start(cluster);
  session = await openSession(world.sandbox, "maintainer");
  for (const environment of ENVIRONMENTS)
    streams.set(environment, new DeliveryStream(clientOf(session), { projectPath: "group/app", environment }));
});

test.afterAll(async () => {
  for (const stream of streams.values()) await stream.close();
  await world?.stop();
});

const urlOf = (environment: EnvironmentName): string => pick(world.sandbox.endpoints.environments, ({ name }) => name === environment).url;
const indexUrl = (): string => urlOf("good").replace(/\/good$/, "");

/** Pages that stay open over all restarts. */
interface Pages {
  readonly index: Page;
  readonly issues: Page;
  readonly summaries: ReadonlyMap<EnvironmentName, Page>;
  readonly events: ReadonlyMap<EnvironmentName, Page>;
}

/** False words that any page has shown at any moment. */
const falseWords: string[] = [];

async function openPages(first: Page): Promise<Pages> {
  const rows = ENVIRONMENTS.map((name) => `tr[data-environment="${name}"]`).join(", ");
  await watchForFalseWords(first, rows, (text) => void falseWords.push(text));
  await signIn(first, world.sandbox, { username: "maintainer", url: indexUrl() });
  const open = async (url: string): Promise<Page> => {
    const page = await first.context().newPage();
    await watchForFalseWords(page, "p, td", (text) => void falseWords.push(text));
    await page.goto(url);
    return page;
  };
  const [summaries, events] = [new Map<EnvironmentName, Page>(), new Map<EnvironmentName, Page>()];
  for (const environment of ENVIRONMENTS) {
    summaries.set(environment, await open(`${urlOf(environment)}?view=summary`));
    events.set(environment, await open(`${urlOf(environment)}?view=events`));
  }
  return { index: first, issues: await open(`${indexUrl()}?view=issues`), summaries, events };
}

async function htmlOf(url: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept: "text/html", cookie: session.cookie } });
  return answer.text();
}

/** Holds every word about delivery, on every screen and in the API, against Git and cluster. */
async function expectWords(pages: Pages, knowledge: Knowledge, when: string): Promise<void> {
  await Promise.all(
    ENVIRONMENTS.map(async (environment) => {
      const project = projectOf(environment);
      const known = await world.truthOf(environment);
      const wanted = expectedWords(project, known.truth, knowledge);
      const { version, isVersionOld, sync } = wanted;
      // A list that is open keeps the issues that it had while nothing newer is known, as the last known ones.
      const kept = expectedWords(project, known.truth, knowledge === "none" ? "last" : knowledge);
      const listed = { issue: kept.issue, isIssueOld: kept.isIssueOld };
      const of = (what: string) => ({ message: `${when}: ${what} of ${environment}` });
      await expect.poll(() => streams.get(environment)?.sent, of("API")).toEqual(expectedDelivery(project, known, knowledge));
      const [summary, events] = [pages.summaries.get(environment), pages.events.get(environment)];
      if (summary === undefined || events === undefined) throw new Error("the pages are not open");
      await expect.poll(() => readSummary(summary, project), of("summary")).toEqual(wanted);
      await expect.poll(() => readRow(pages.index, environment), of("row")).toEqual({ version, isVersionOld, sync });
      await expect.poll(() => readIssues(pages.issues, project), of("issues")).toEqual(listed);
      const html = htmlWordsOf(wanted);
      await expect.poll(async () => readHtml(await htmlOf(urlOf(environment))), of("HTML")).toEqual(html);
      await expect.poll(async () => readHtml(rowOf(await htmlOf(indexUrl()), environment)), of("HTML row")).toEqual(html);
      const read = await readEvents(events);
      expect(falseEvents(read, known.truth), `${when}: events of ${environment}`).toEqual([]);
      if (knowledge === "reported")
        await expect.poll(() => readEvents(events), of("events")).toContainEqual(expect.stringMatching(expectedEvent(known.truth)));
    }),
  );
  expect(falseWords, when).toEqual([]);
}

const reported = (environment: EnvironmentName, sync: { readonly version: string; readonly state: string }): Promise<void> =>
  expect.poll(() => streams.get(environment)?.sent, { message: `${environment} is as wanted` }).toMatchObject(sync);

/** All four were reported after a moment. */
async function reportedSince(sinceMs: number): Promise<void> {
  for (const [environment, stream] of streams)
    await expect.poll(() => stream.reportedAtMs, { message: `${environment} is reported` }).toBeGreaterThan(sinceMs);
}

/** A commit goes through all that was restarted. */
async function releaseGoesThrough(): Promise<void> {
  await reported("good", { version: short(await world.release()), state: "SYNCED" });
}

async function restartWeb(pages: Pages, where: string): Promise<void> {
  world.agentk.freeze();
  await world.web.kill();
  await world.web.start();
  await expectWords(pages, "reported", `web ${where} has restarted, agentk is silent`);
  world.agentk.thaw();
  await releaseGoesThrough();
  await expectWords(pages, "reported", `web ${where} has restarted, after a report`);
}

async function restartAgentk(pages: Pages, where: string): Promise<void> {
  await world.agentk.kill();
  await expectWords(pages, "reported", `agentk ${where} is dead`);
  const passApplies = world.delayApplies();
  await world.startAgentk();
  await expectWords(pages, "restarted", `agentk ${where} has restarted, no sync has ended`);
  expect(world.delayedApplies).toBeGreaterThan(0);
  passApplies();
  await expectWords(pages, "reported", `agentk ${where} has restarted, after a sync`);
}

test("B1: the summary of an environment to which nothing could be applied yet says why", async ({ page }) => {
  const commit = await world.breakFirst();
  await signIn(page, world.sandbox, { username: "maintainer", url: `${urlOf("failing")}?view=summary` });
  await expect(page.getByRole("listitem").filter({ hasText: `group/failing: commit ${short(commit)} refused` })).toBeVisible();
  await expect(page.locator('[data-sync-of="group/failing"]')).toContainText("Not deployed");
  await expect(page.getByText("There are no resources found for the environment.")).toBeVisible();
});

test("B2: every word about delivery is true after restarts of kas, agentk, web and Redis, before and after the next report", async ({
  page,
}) => {
  // Four minutes; on a busy machine more than eight.
  test.setTimeout(1_200_000);
  await world.deploy(reported);
  const pages = await openPages(page);
  await expectWords(pages, "reported", "before any restart");

  await test.step("kas with Redis", async () => {
    const atMs = Date.now();
    world.agentk.freeze();
    await world.kas.kill();
    await expectWords(pages, "last", "kas with Redis is dead");
    await world.startKas({ redis: true });
    await expectWords(pages, "reported", "kas with Redis has restarted, agentk is silent");
    world.agentk.thaw();
    await reportedSince(atMs);
    await expectWords(pages, "reported", "kas with Redis has restarted, after a report");
  });

  await test.step("Redis", async () => {
    world.agentk.freeze();
    await world.redis.stop();
    await world.redis.restart();
    await expectWords(pages, "reported", "Redis has restarted, agentk is silent");
    world.agentk.thaw();
    await releaseGoesThrough();
    await expectWords(pages, "reported", "Redis has restarted, after a report");
  });

  await test.step("web with Redis", () => restartWeb(pages, "with Redis"));
  await test.step("agentk with Redis", () => restartAgentk(pages, "with Redis"));

  await test.step("kas without Redis", async () => {
    const atMs = Date.now();
    world.agentk.freeze();
    await world.kas.kill();
    await world.startKas({ redis: false });
    await expectWords(pages, "last", "kas without Redis has restarted, agentk is silent");
    await world.web.kill();
    await world.web.start();
    await expectWords(pages, "none", "kas without Redis and web have restarted, agentk is silent");
    world.agentk.thaw();
    await reportedSince(atMs);
    await expectWords(pages, "reported", "kas without Redis has restarted, after a report");
  });

  await test.step("web without Redis", () => restartWeb(pages, "without Redis"));
  await test.step("agentk without Redis", () => restartAgentk(pages, "without Redis"));
});
