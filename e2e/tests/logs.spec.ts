// needs: control-plane
import { createHash } from "node:crypto";

import { LogsOutputSchema, type LogsOutput } from "@binnacle/proto/dashboard-logs";
import { fromBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import type { Locator, Page } from "@playwright/test";

import { axeViolations } from "../support/axe.ts";
import { graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { signalProcess } from "../support/process-control.ts";
import { applyStaging, restoreAccess } from "../support/own-environment.ts";
import type { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "logs";
const DEPLOYMENT = `sel=apps/deployments/${NAMESPACE}/web&tab=logs`;

let sandbox: Sandbox;
test.beforeAll(async ({ mutableSandbox }) => {
  test.setTimeout(240_000);
  sandbox = mutableSandbox;
  await applyStaging(sandbox, NAMESPACE);
  const annotations = { "bench.kas/log-rate": "5", "bench.kas/log-style": "bracket" };
  await direct("patch", "deployment", "web", "--patch", JSON.stringify({ spec: { template: { metadata: { annotations } } } }));
  await direct("rollout", "status", "deployment/web", "--timeout=120s");
});
test.afterAll(() => restoreAccess(sandbox, ["clusterrolebinding/without-logs", "clusterrole/without-logs"]));

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);
const lines = (page: Page): Locator => page.locator("[data-line]");
const logsUrl = (): string => `${graphUrl(sandbox, NAMESPACE).replace("view=graph", "view=list")}&${DEPLOYMENT}`;
const numbersOf = async (page: Page): Promise<readonly string[]> => {
  const texts = await lines(page).allTextContents();
  return texts.flatMap((text) => /line=\d+/.exec(text) ?? []);
};

test("a maintainer reads the logs of a Deployment through kas and agentk, searches, chooses a level, and pauses", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: logsUrl() });
  await expect(page.getByRole("tab", { name: "Logs" })).toHaveAttribute("aria-selected", "true");
  await expect(
    lines(page)
      .filter({ hasText: /line=\d+/ })
      .first(),
  ).toBeVisible();
  const before = (await numbersOf(page)).at(-1);
  await expect.poll(async () => (await numbersOf(page)).at(-1), "it follows").not.toBe(before);
  const search = page.getByRole("search", { name: "Search and choose log lines" });
  await search.getByRole("searchbox").fill("line=1");
  await expect(search).toContainText(/\d+ match/);
  await expect(page.locator("[data-line] mark").first()).toHaveText("line=1");
  expect(await axeViolations(page)).toEqual([]);
  await page.goto(`${logsUrl()}&level=error`);
  await expect(lines(page).first()).toHaveAttribute("data-level", "error");
  await expect(page.locator('[data-line]:not([data-level="error"])')).toHaveCount(0);
  await page.goto(logsUrl());
  await expect(lines(page).first()).toBeVisible();
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.getByRole("button", { name: /^\d+ new lines?$/ })).toBeVisible();
});

test("an expression that takes too long for a line ends at the agent, the page says so, and another search is answered", async ({
  page,
}) => {
  const metadata = { name: "wide", namespace: NAMESPACE, annotations: { "bench.kas/log-long-line": "1" } };
  const spec = { containers: [{ name: "app", image: "busybox" }] };
  const pod = JSON.stringify({ apiVersion: "v1", kind: "Pod", metadata, spec });
  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], pod);
  await direct("wait", "--for=condition=Ready", "pod/wide", "--timeout=60s");
  const received: LogsOutput["message"][] = [];
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => {
      if (typeof payload !== "string") received.push(fromBinary(LogsOutputSchema, payload).message);
    }),
  );
  const url = logsUrl().replace(DEPLOYMENT, `sel=core/pods/${NAMESPACE}/wide&tab=logs`);
  // Nothing of RE2 syntax is exponential; this takes about ten thousand steps for each character.
  const slow = `${String.raw`[\pL\pN]{1000}`.repeat(9)}$`;
  await signIn(page, sandbox, { username: "maintainer", url: `${url}&match=regex,case,only&find=${encodeURIComponent(slow)}` });
  await expect(page.getByRole("complementary")).toContainText("it takes more than a second for a line");
  const sources = received.flatMap((message) =>
    message.case === "response" && message.value.message.case === "sources" ? [message.value.message.value] : [],
  );
  expect(
    sources.some(({ isReadByAgent }) => isReadByAgent),
    "the agent searched",
  ).toBe(true);
  expect(received.at(-1)).toMatchObject({ case: "ended", value: { code: Code.InvalidArgument } });
  const search = page.getByRole("search", { name: "Search and choose log lines" });
  await search.getByRole("searchbox").fill("^line 1 0+");
  const matches = lines(page).and(page.locator(":not([data-context])"));
  await expect(matches).toHaveCount(1);
  await expect(matches).toContainText("line 1 0123456789abcdef");
});

test("the pods of a rollout join by themselves", async ({ page }) => {
  await signIn(page, sandbox, { username: "maintainer", url: logsUrl() });
  await expect(lines(page).first()).toBeVisible();
  const podsOf = async (): Promise<ReadonlySet<string>> =>
    new Set((await direct("get", "pods", "-l", "app.kubernetes.io/name=web", "-o", "jsonpath={.items[*].metadata.name}")).split(" "));
  const before = await podsOf();
  await direct("rollout", "restart", "deployment/web");
  await direct("rollout", "status", "deployment/web", "--timeout=120s");
  const joined = [...(await podsOf())].filter((name) => !before.has(name));
  expect(joined.length).toBeGreaterThan(0);
  for (const name of joined) {
    await expect(page.locator(`[data-line] [title^="${NAMESPACE}/${name}/"]`).first(), name).toBeVisible();
  }
});

test("a followed log comes over a WebSocket, and goes on after the SIGKILL of web: every line once, and no gap", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const sockets: string[] = [];
  page.on("websocket", (socket) => void sockets.push(new URL(socket.url()).pathname));
  const streams: string[] = [];
  page.on("request", (request) => void streams.push(new URL(request.url()).pathname));
  await signIn(page, sandbox, { username: "maintainer", url: `${logsUrl()}&tail=all` });
  await expect(lines(page).first()).toBeVisible();
  await expect.poll(() => sockets).toEqual(["/api/socket"]);
  signalProcess(sandbox.endpoints.pids.web, "SIGKILL");
  await expect(page.locator('[data-reading="lost"]')).toBeVisible();
  const shown = (await numbersOf(page)).at(-1);
  await expect(page.locator('[data-reading="reading"]')).toBeVisible();
  await expect.poll(async () => (await numbersOf(page)).at(-1), "it follows").not.toBe(shown);
  expect(new Set(sockets)).toEqual(new Set(["/api/socket"]));
  expect(sockets.length).toBeGreaterThan(1);
  expect(streams.filter((path) => path.endsWith("/ReadLogs"))).toEqual([]);
  await expect(page.locator("[data-gap]")).toHaveCount(0);

  await page.getByRole("grid", { name: "Log lines" }).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Control+c");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const written = copied.split("\n").map((line) => line.split(" "));
  const sum = (texts: readonly string[]): string => createHash("sha256").update(texts.join("\n")).digest("hex");
  const pods = new Set(written.map(([, source = ""]) => source));
  expect(pods.size).toBeGreaterThan(0);
  for (const source of pods) {
    const texts = written.filter(([, of]) => of === source).map(([, , ...text]) => text.join(" "));
    const all = (await direct("logs", source.split("/")[1] ?? "")).split("\n").slice(0, texts.length);
    expect(texts.length).toBeGreaterThan(10);
    expect(sum(texts), `${source}: ${texts.length} lines`).toBe(sum(all));
  }
});

test("a developer without pods/log sees the missing rule with a Role, and the lines once it is given", async ({ page }) => {
  const rule = { apiGroups: ["", "apps", "batch"], resources: ["*"], verbs: ["get", "list", "watch"] };
  const resources = ["pods", "services", "configmaps", "events", "deployments", "replicasets", "statefulsets", "daemonsets", "jobs"];
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "without-logs" },
    rules: [{ ...rule, resources }],
  };
  await direct("delete", "clusterrolebinding", "project-1-developer-view");
  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], JSON.stringify(role));
  await direct("create", "clusterrolebinding", "without-logs", "--clusterrole=without-logs", "--group=gitlab:project_role:1:developer");
  await signIn(page, sandbox, { username: "developer", url: logsUrl() });
  const drawer = page.getByRole("complementary");
  await expect(drawer).toContainText("You may not read these logs");
  const yaml = await drawer.locator("[data-missing-role]").textContent();
  expect(yaml).toContain("pods/log");
  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], yaml ?? "");
  const name = /name: (\S+)/.exec(yaml ?? "")?.[1] ?? "";
  await direct("create", "rolebinding", "reads-logs", `--role=${name}`, "--group=gitlab:project_role:1:developer");
  await page.reload();
  await expect(lines(page).first()).toBeVisible();
});
