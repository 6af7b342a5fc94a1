// needs: control-plane
import { randomBytes } from "node:crypto";

import type { Page } from "@playwright/test";

import { NodeReader } from "../operators/node-reader.ts";
import { OperatorObjects } from "../operators/operator-objects.ts";
import { healthOnPage, OperatorStory } from "../operators/operator-story.ts";
import { OPERATORS } from "../operators/operators.ts";
import { defineKinds } from "../support/custom-kind.ts";
import { openDashboard } from "../support/dashboard-client.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";

const VIEWER = "developer";
/** Nothing else is there. */
const ENVIRONMENT = "preview";
const SEEN_MS = 90_000;

let page: Page;
let reader: NodeReader;
let objects: OperatorObjects;
let story: OperatorStory;
let undefine: (() => Promise<void>) | undefined;

test.beforeAll(async ({ browser, sandbox }) => {
  test.setTimeout(240_000);
  const { environments, kubeconfigs } = sandbox.endpoints;
  const { namespace, project, name } = pick(environments, (entry) => entry.name === ENVIRONMENT);
  objects = new OperatorObjects({ kubeconfig: kubeconfigs.cluster, namespace, word: `i${randomBytes(3).toString("hex")}` });
  reader = new NodeReader(await openDashboard(sandbox, VIEWER), { projectPath: project, environment: name });
  page = await browser.newPage({ viewport: { width: 1440, height: 2600 } });
  await signIn(page, sandbox, { username: VIEWER, url: graphUrl(sandbox, ENVIRONMENT) });
  await new EnvironmentPage(page).mark();
  undefine = await defineKinds(
    kubeconfigs.cluster,
    OPERATORS.map((operator) => objects.kindOf(operator)),
  );
  story = new OperatorStory(objects, OPERATORS);
  await story.drive({ page, reader });
});

test.afterAll(async () => {
  reader.close();
  await page.close();
  for (const operator of OPERATORS) await objects.release(operator, "second").catch(() => undefined);
  await undefine?.();
  await objects.close();
});

for (const { kind } of OPERATORS) {
  test(`page, API and the status itself agree on each moment in the life of two objects of the kind ${kind}`, () => {
    const observed = story.observations.filter(({ resource }) => resource.startsWith(`${kind} `));
    const line = (resource: string, what: string, says: string): string => `${resource} ${what}: ${says}`;
    const person = observed.map((one) => line(one.resource, one.what, one.person));
    expect(person.length).toBe(13);
    expect(observed.map((one) => line(one.resource, one.what, one.page))).toEqual(person);
    expect(observed.map((one) => line(one.resource, one.what, one.api))).toEqual(person);
    const reasons = observed.flatMap(({ words }) => words ?? []);
    expect(reasons.map(({ api }) => api)).toEqual(reasons.map((words) => words.person));
  });
}

test("what is not held any more is gone from page and API, and the other one of its kind stays", async () => {
  await expect.poll(() => reader.size, { timeout: SEEN_MS }).toBe(OPERATORS.length);
  await expect
    .poll(async () => [...(await healthOnPage(page)).keys()].toSorted())
    .toEqual(OPERATORS.map(({ kind }) => `${kind} second`).toSorted());
});

test("a status that changes faster than anybody can look ends at what it is", async () => {
  const kiln = pick(OPERATORS, ({ kind }) => kind === "Kiln");
  await objects.write(kiln, "second", { spec: { heat: 1 } });
  for (let times = 0; times < 40; times += 1) {
    await objects.write(kiln, "second", { status: { state: times % 2 === 0 ? "Ready" : "Error" } });
  }
  await expect.poll(() => reader.answerOf("Kiln second")?.says).toBe("degraded");
  await expect.poll(async () => (await healthOnPage(page)).get("Kiln second")).toBe("degraded");
});

test("a status with 200 KiB of text is judged by its beginning, of which at most 32 Ki characters are sent", async () => {
  const mill = pick(OPERATORS, ({ kind }) => kind === "Mill");
  const errorMessage = "the belt is torn, ".repeat(12_000);
  await objects.write(mill, "second", { spec: { stones: 2 }, status: { observedGeneration: 9, errorMessage } });
  await expect.poll(() => reader.answerOf("Mill second")?.says).toBe("degraded");
  expect(reader.answerOf("Mill second")?.words).toMatch(/^the belt is torn, /);
  // What a condition of Kubernetes may say.
  expect(reader.answerOf("Mill second")?.words.length).toBeLessThanOrEqual(32_768);
  await expect.poll(async () => (await healthOnPage(page)).get("Mill second")).toBe("degraded");
});

test("the list says of each what the graph says", async ({ sandbox }) => {
  const graph = await healthOnPage(page);
  expect(graph.size).toBe(OPERATORS.length);
  await page.goto(graphUrl(sandbox, ENVIRONMENT).replace("view=graph", "view=list"));
  await expect.poll(async () => Object.fromEntries(await healthOnPage(page))).toEqual(Object.fromEntries(graph));
  await new EnvironmentPage(page).mark();
});

test("kinds that are taken away while the page is open leave nothing behind, and nothing is ever missing", async () => {
  for (const operator of OPERATORS) await objects.release(operator, "second");
  await undefine?.();
  undefine = undefined;
  await expect.poll(() => reader.size, { timeout: SEEN_MS }).toBe(0);
  await expect(page.getByText("There are no resources found for the environment.")).toBeVisible();
  expect(reader.missing).toBe(0);
  await new EnvironmentPage(page).expectNoReload();
});
