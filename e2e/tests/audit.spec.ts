import { readFileSync } from "node:fs";

import type { Page } from "@playwright/test";

import { EnvironmentPage } from "../support/environment-page.ts";
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import { logLines } from "../support/log-lines.ts";
import { signInWithToken, startOtherDashboard, type OtherDashboard } from "../support/other-dashboard.ts";
import { Sandbox } from "../support/sandbox.ts";

// A sandbox of its own: only this API server has an audit log, in which all requests of agentk are counted. The two tests use dashboards of
// their own, and count only what their own pages ask for.
let sandbox: Sandbox;

test.beforeAll(async ({ cluster }) => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster, flags: ["--audit"] });
});

test.afterAll(() => sandbox?.stop());

/** A line of the API server's audit log (audit.k8s.io/v1 Event). */
interface AuditEvent {
  /** Of the request: a long one stands there when its answer begins and again when it ends. */
  readonly auditID: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string };
  readonly userAgent: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly responseStatus?: { readonly code: number };
}

const AGENT = "system:serviceaccount:gitlab-agent:agentk";
/** What agentk does by itself it does as itself: the version of the cluster, and what it deploys (docs/design/gitops.md). */
const OF_ITS_OWN = (event: AuditEvent): boolean => event.requestURI.startsWith("/version") || event.userAgent.endsWith(" gitops");
/** What it does as itself for views (docs/design/views.md "Rights"): it discovers, lists, watches, and asks what it may do itself. */
const FOR_VIEWS = ({ verb, requestURI, userAgent }: AuditEvent): boolean =>
  userAgent.endsWith(" views") &&
  (["list", "watch"].includes(verb) ||
    requestURI.split("?")[0]?.endsWith("/selfsubjectaccessreviews") === true ||
    /^\/apis?\/?$/.test(requestURI));

/** One event for each request. */
function eventsOf(file: string): AuditEvent[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const events = lines.map((line) => JSON.parse(line) as AuditEvent);
  return [...new Map(events.map((event) => [event.auditID, event])).values()];
}

/** A request that reads a whole kind: a streamed list, or the first page of one that is no probe (limit=1). */
function isFullList(event: AuditEvent): boolean {
  const query = new URL(event.requestURI, "http://api").searchParams;
  if (event.responseStatus?.code !== 200) return false;
  if (event.verb === "watch") return query.has("sendInitialEvents");
  return event.verb === "list" && query.get("limit") !== "1" && !query.has("continue");
}

const paths = (events: readonly AuditEvent[]): string[] => events.map(({ requestURI }) => new URL(requestURI, "http://api").pathname);
const twice = (all: readonly string[]): string[] => all.filter((path, index) => all.indexOf(path) !== index);

/** What agentk asks the API server for while a developer looks at `production` in two tabs, without what it does anyhow. */
async function whileViewed(page: Page, dashboard: OtherDashboard): Promise<readonly AuditEvent[]> {
  const { auditLog } = sandbox.endpoints;
  if (auditLog === undefined) throw new Error("the sandbox names no audit log");
  await expect.poll(() => logLines(sandbox, "agentk").some(({ msg }) => msg === "manifests are reconciled")).toBe(true);
  const before = new Set(eventsOf(auditLog).map(({ auditID }) => auditID));
  const url = dashboard.graphUrl("production");
  await signInWithToken(page, sandbox, { username: "developer", base: dashboard.url, url });
  const view = new EnvironmentPage(page);
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(view.health).toHaveAttribute("data-health", "healthy");
  // A second tab of the same viewer adds nothing upstream.
  const second = await page.context().newPage();
  await second.goto(url);
  await expect(new EnvironmentPage(second).node("Deployment", "web")).toBeVisible();
  await second.close();
  return eventsOf(auditLog).filter((event) => !before.has(event.auditID) && event.user.username === AGENT && !OF_ITS_OWN(event));
}

test("T30: the API server's audit log: every request for a viewer bears his identity, and no kind is listed twice", async ({ page }) => {
  const dashboard = await startOtherDashboard(sandbox, "127.0.0.1", { configuration: { views: { of_agents: "never" } } });
  const { namespace } = pick(sandbox.endpoints.environments, (entry) => entry.name === "production");
  const events = await whileViewed(page, dashboard);
  await dashboard.stop();
  expect(events.filter(({ impersonatedUser }) => impersonatedUser === undefined)).toEqual([]);
  const forViewer = events.filter((event) => event.impersonatedUser?.username === "gitlab:user:developer");
  expect(forViewer.length).toBeGreaterThan(10);
  const lists = paths(forViewer.filter(isFullList)).filter((path) => path.includes(`/namespaces/${namespace}/`));
  expect(lists.length).toBeGreaterThan(0);
  expect(twice(lists)).toEqual([]);
  expect(twice(paths(forViewer.filter((event) => event.verb === "watch")))).toEqual([]);
});

test("T30, T37: where agentk keeps the view it lists and watches each kind once, as itself, no Secret among them, and asks as the viewer what he may read", async ({
  page,
}) => {
  const dashboard = await startOtherDashboard(sandbox, "127.0.0.1", { configuration: { views: { of_agents: "prefer" } } });
  const events = await whileViewed(page, dashboard);
  await dashboard.stop();
  const asItself = events.filter(({ impersonatedUser }) => impersonatedUser === undefined);
  expect(asItself.filter((event) => !FOR_VIEWS(event))).toEqual([]);
  const read = paths(asItself.filter(isFullList));
  expect(read).toContain("/api/v1/pods");
  expect(read.filter((path) => path.endsWith("/secrets"))).toEqual([]);
  expect(twice(read)).toEqual([]);
  const forViewer = events.filter((event) => event.impersonatedUser?.username === "gitlab:user:developer");
  expect(paths(forViewer).filter((path) => /\/selfsubject(?:access|rules)reviews$/.test(path)).length).toBeGreaterThan(0);
  expect(forViewer.filter(isFullList)).toEqual([]);
});
