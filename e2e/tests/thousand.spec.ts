// needs: control-plane
// long: 200 viewers and an API server of its own, two minutes
import { HealthStatus } from "@binnacle/proto/dashboard";

import { openDashboard } from "../support/dashboard-client.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { agentRequestsOf, isWatch, mostOpen, type AuditedRequest } from "../thousand/audit-log.ts";
import { CLUSTER_VIEWER, NAMESPACE_VIEWER } from "../thousand/cluster-filling.ts";
import { isProof, MAX_VIEWERS, openCrowd, readingsOf } from "../thousand/crowd.ts";
import { EnvironmentReader } from "../thousand/environment-reader.ts";
import { IndexReader } from "../thousand/index-reader.ts";
import { conditionOf, namespaceName } from "../thousand/namespace-workload.ts";
import { ThousandWorld } from "../thousand/thousand-world.ts";

/** The world of `npm run bench -- view`, smaller. */
const NAMESPACES = 60;
/** A fifth of our agentk's pool. */
const OWN_BUDGET = 100;
/** Of an agent without our capabilities. */
const GO_BUDGET = 8;
const UNWELL = Array.from({ length: NAMESPACES }, (_, index) => index).filter((index) => conditionOf(index) !== "well");

let world: ThousandWorld;

test.beforeAll(async () => {
  test.setTimeout(180_000);
  world = await ThousandWorld.start(NAMESPACES, "agent");
});

test.afterAll(() => world.stop());

/** Every row of that viewer's index has a health, and the right one. @returns the index, which is still open */
async function expectWholeIndex(username: string): Promise<IndexReader> {
  const client = await openDashboard(world.sandbox, username);
  const index = new IndexReader(client, { project: world.project, names: world.namespaces });
  await expect.poll(() => [index.rows.size, index.unknown.length]).toEqual([NAMESPACES, 0]);
  expect(index.namesOf(HealthStatus.DEGRADED).toSorted()).toEqual(UNWELL.map(namespaceName));
  expect(index.namesOf(HealthStatus.HEALTHY)).toHaveLength(NAMESPACES - UNWELL.length);
  return index;
}

/**
 * More is opened than the agent carries: with rights in namespaces only, each kind of each page needs a watch of its own. What has none
 * says so, and kubectl is answered beside it.
 */
async function openPages({ count, budget }: { readonly count: number; readonly budget: number }): Promise<void> {
  const client = await openDashboard(world.sandbox, NAMESPACE_VIEWER);
  const pages = world.namespaces.slice(0, count).map((name) => new EnvironmentReader(client, { project: world.project, name }));
  await expect.poll(() => pages.filter(({ isComplete }) => isComplete).length, { timeout: 120_000 }).toBe(count);
  const requests = ["get", "pods", "--namespace", namespaceName(0), "--request-timeout", "20s", "--output", "name"];
  expect(await kubectl(world.kubeconfigOf(NAMESPACE_VIEWER), requests)).toContain("pod/web-");
  const sum = (of: "live" | "sampled"): number => pages.reduce((total, { kinds }) => total + kinds[of], 0);
  await expect.poll(() => sum("live")).toBeLessThanOrEqual(budget);
  expect(sum("live")).toBeGreaterThan(0);
  expect(sum("sampled")).toBeGreaterThan(0);
  for (const page of pages) page.close();
}

/** The most watches that went through agentk since then; those of its own views hold no tunnel. */
function mostWatchesSince(beganMs: number): number {
  const watches = agentRequestsOf(world.auditLog).filter((request) => isWatch(request) && request.endedMs > beganMs);
  return mostOpen(watches.filter(({ userAgent }) => !isOfViews(userAgent)));
}

function isOfRules(line: string): boolean {
  return /argocd-cm|kustomizations/.test(line);
}

function isOfViews(userAgent: string): boolean {
  return userAgent.endsWith(" views");
}

/** What so many viewers of an environment ask of the cluster until each has it; a dashboard that knows nothing of before. */
async function upstreamOf(viewers: number): Promise<AuditedRequest[]> {
  await world.restartWeb();
  const beganMs = Date.now();
  const crowd = await openCrowd(world, namespaceName(0), viewers);
  expect(crowd.readers.filter(({ status }) => status === HealthStatus.HEALTHY)).toHaveLength(viewers);
  // Before anybody leaves: who does hands the watches that run in his name over to another, which goes on with them.
  const requests = agentRequestsOf(world.auditLog).filter((request) => request.beganMs >= beganMs);
  crowd.close();
  return requests;
}

test("200 viewers of one environment who are one and the same in the cluster read no more of it than one does", async () => {
  await world.setAccess("agent");
  const [one, many] = [await upstreamOf(1), await upstreamOf(MAX_VIEWERS)];
  expect(MAX_VIEWERS).toBe(200);
  expect(readingsOf(one).length).toBeGreaterThan(20);
  const [readOfOne, readOfMany] = [readingsOf(one), readingsOf(many)];
  expect(readOfMany.filter((line) => !isOfRules(line))).toEqual(readOfOne.filter((line) => !isOfRules(line)));
  // Rules of health are read once more when a page that the agent refuses to keep is made by the dashboard.
  expect(readOfMany.filter(isOfRules).length).toBeLessThanOrEqual(2 * readOfOne.filter(isOfRules).length);
  // The identity of each is queried once.
  expect(many.filter(isProof).length - one.filter(isProof).length).toBeLessThan(MAX_VIEWERS * 2);
});

test("our agentk: every environment has a health for both kinds of rights, and the watches stay within a fifth of its pool", async () => {
  await world.setAccess("user");
  await world.restartWeb();
  const beganMs = Date.now();
  const indexes = [await expectWholeIndex(CLUSTER_VIEWER), await expectWholeIndex(NAMESPACE_VIEWER)];
  await openPages({ count: 6, budget: OWN_BUDGET });
  for (const index of indexes) index.close();
  expect(mostWatchesSince(beganMs)).toBeLessThanOrEqual(OWN_BUDGET);
  expect(mostWatchesSince(beganMs)).toBeGreaterThan(GO_BUDGET);
});

test("an agent of a Go agent's size: the same with ten tunnels, and never more than eight watches", async () => {
  await world.setAccess("user");
  const link = await world.useGoSizedAgent();
  await world.restartWeb();
  const beganMs = Date.now();
  const indexes = [await expectWholeIndex(CLUSTER_VIEWER), await expectWholeIndex(NAMESPACE_VIEWER)];
  await openPages({ count: 3, budget: GO_BUDGET });
  for (const index of indexes) index.close();
  expect(mostWatchesSince(beganMs)).toBeLessThanOrEqual(GO_BUDGET);
  expect(link.mostTunnels).toBe(10);
});

test("our agentk with all its rights: index and pages come from its own views, without watches through it", async () => {
  await world.letAgentKeepViews();
  await world.restartWeb();
  const beganMs = Date.now();
  const index = await expectWholeIndex(CLUSTER_VIEWER);
  const client = await openDashboard(world.sandbox, CLUSTER_VIEWER);
  const pages = world.namespaces.slice(0, 6).map((name) => new EnvironmentReader(client, { project: world.project, name }));
  await expect.poll(() => pages.filter(({ isComplete }) => isComplete).length, { timeout: 120_000 }).toBe(6);
  const watches = agentRequestsOf(world.auditLog).filter((request) => isWatch(request) && request.beganMs > beganMs);
  expect(watches.length).toBeGreaterThan(0);
  expect(watches.filter(({ userAgent }) => !isOfViews(userAgent))).toEqual([]);
  for (const page of pages) page.close();
  index.close();
});
