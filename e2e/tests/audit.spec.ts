import { readFileSync } from "node:fs";

import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";
import { logLines } from "../support/log-lines.ts";

/** A line of the API server's audit log (audit.k8s.io/v1 Event). */
interface AuditEvent {
  /** Of the request: a long one stands there when its answer begins and again when it ends. */
  readonly auditID: string;
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string };
  readonly verb: string;
  readonly requestURI: string;
  readonly responseStatus?: { readonly code: number };
}

const AGENT = "system:serviceaccount:gitlab-agent:agentk";
const LEASE = "/apis/coordination.k8s.io/v1/namespaces/gitlab-agent/leases/agentk-gitops-1";

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

test("T30: the API server's audit log: every request for a viewer bears his identity, and no kind is listed twice", async ({
  page,
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--audit"]);
  const { auditLog, environments } = sandbox.endpoints;
  if (auditLog === undefined) throw new Error("the sandbox names no audit log");
  const namespace = pick(environments, (entry) => entry.name === "production").namespace;
  // What the agent deploys by itself it does as itself (docs/design/gitops.md). Once that is done only its Lease is left.
  await expect.poll(() => logLines(sandbox, "agentk").some(({ msg }) => msg === "manifests are reconciled")).toBe(true);
  const before = new Set(eventsOf(auditLog).map(({ auditID }) => auditID));
  await signIn(page, sandbox, { username: "developer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await expect(view.node("Deployment", "web")).toBeVisible();
  await expect(view.health).toHaveAttribute("data-health", "healthy");
  // A second tab of the same viewer adds nothing upstream.
  const second = await page.context().newPage();
  await second.goto(graphUrl(sandbox, "production"));
  await expect(new EnvironmentPage(second).node("Deployment", "web")).toBeVisible();

  const events = eventsOf(auditLog)
    .filter(({ auditID }) => !before.has(auditID))
    .filter((event) => event.user.username === AGENT);
  const bare = events.filter(
    ({ impersonatedUser, requestURI }) =>
      impersonatedUser === undefined && !requestURI.startsWith("/version") && !requestURI.startsWith(LEASE),
  );
  expect(bare).toEqual([]);
  const forViewer = events.filter((event) => event.impersonatedUser?.username === "gitlab:user:developer");
  expect(forViewer.length).toBeGreaterThan(10);
  const lists = forViewer
    .filter((event) => isFullList(event) && event.requestURI.includes(`/namespaces/${namespace}/`))
    .map((event) => new URL(event.requestURI, "http://api").pathname);
  expect(lists.length).toBeGreaterThan(0);
  expect(lists.filter((path, index) => lists.indexOf(path) !== index)).toEqual([]);
  const watches = forViewer.filter((event) => event.verb === "watch").map((event) => new URL(event.requestURI, "http://api").pathname);
  expect(watches.filter((path, index) => watches.indexOf(path) !== index)).toEqual([]);
});
