// needs: control-plane, redis
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { send, targetOf } from "../support/bearer-request.ts";
import { BrowserTraffic, type Part } from "../support/browser-traffic.ts";
import { Canaries } from "../support/canaries.ts";
import { logsIn, metricsOf, storageOf } from "../support/canary-places.ts";
import { openDashboard } from "../support/dashboard-client.ts";
import { pick, type Endpoints } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl, runKubectl } from "../support/kubectl.ts";
import { giveOwnStream } from "../support/own-stream.ts";
import { listenToRedis } from "../support/redis-monitor.ts";

const STREAM = "/dashboard.v1.Dashboard/Watch";

test("T7, T31: no log, metric, Redis record, URL, storage or answer shows a Secret, a token or a cookie", async ({
  page,
  context,
  browser,
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--kas", "2", "--agents", "2"]);
  const { endpoints } = sandbox;
  const redis = await listenToRedis(endpoints.redis ?? "");
  const { namespace } = pick(endpoints.environments, (entry) => entry.name === "production");
  const value = `canary-${randomBytes(12).toString("hex")}`;
  const canaries = new Canaries([["value of a Secret", value], ...secretsOf(endpoints)]);
  await giveOwnStream(page);
  const traffic = await BrowserTraffic.record(page);
  await kubectl(endpoints.kubeconfigs.cluster, ["create", "secret", "generic", "canary", "-n", namespace, `--from-literal=word=${value}`]);

  // One session of every kind: a browser by cookie and one by token, kubectl by token, a job, and some that are refused.
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await expect(view.node("Deployment", "web")).toBeVisible();
  const described = page.waitForResponse((response) => response.url().endsWith("/GetResource"));
  await view.node("Deployment", "web").click();
  await (await described).finished();
  await page.goto(`${graphUrl(sandbox, "production").split("?")[0]}?view=list`);
  await expect(page.getByText("canary").or(page.getByText("web")).first()).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await giveOwnStream(other);
  const otherTraffic = await BrowserTraffic.record(other);
  await other.goto(`${endpoints.dashboard}/sign-in`);
  const token = pick(endpoints.users, (user) => user.username === "developer").personalAccessToken;
  await other.getByLabel("Personal access token").fill(token);
  await other.getByRole("button", { name: "Sign in with a token" }).click();
  await other.waitForURL((url) => url.pathname !== "/sign-in" && url.pathname !== "/api/session/token");
  // Of this answer the page saw only where it led.
  const signedIn = await other.request.post(`${endpoints.dashboard}/api/session/token`, {
    data: { token },
    headers: { origin: new URL(endpoints.dashboard).origin },
  });
  expect(signedIn.ok()).toBe(true);
  // In a page beside it: of one that is left while it loads, the browser forgets what came.
  const graph = await other.context().newPage();
  await giveOwnStream(graph);
  const graphTraffic = await BrowserTraffic.record(graph);
  await graph.goto(graphUrl(sandbox, "production"));
  await expect(new EnvironmentPage(graph).node("Deployment", "web")).toBeVisible();
  const { yaml } = await (
    await openDashboard(sandbox, "maintainer")
  ).getResource({
    projectPath: "group/app",
    environment: "production",
    ref: { version: "v1", kind: "Secret", resource: "secrets", namespace, name: "canary" },
  });
  expect(yaml, "its masked form may be read").toContain("name: canary");
  const read = await kubectl(endpoints.kubeconfigs.viaKas, ["get", "secret/canary", "-n", namespace, "-o", "json"]);
  expect(read, "viewers who may read it, read it").toContain(Buffer.from(value).toString("base64"));
  const answers = [
    { where: "masked answer", text: yaml },
    { where: "answer of the token sign-in", text: await signedIn.text() },
    ...(await refusedAnswers(endpoints, namespace)),
  ];

  for (const each of [context, other.context()]) {
    const cookies = (await each.cookies()).filter(({ value: word }) => word.length >= 16);
    canaries.add(cookies.map(({ name, value: word }) => [`cookie ${name}`, word] as const));
  }
  const pages = [traffic, otherTraffic, graphTraffic];
  const seen = (await Promise.all(pages.map((each) => each.parts()))).flat();
  expect(pages.flatMap((each) => each.unread)).toEqual([]);
  const streams = seen.filter(({ where }) => where.startsWith("body of") && where.includes(STREAM));
  expect(streams.filter(({ text }) => text.includes("Deployment")).length, "streams were read").toBeGreaterThanOrEqual(2);
  const logs = logsIn(join(sandbox.directory, "log"));
  expect(logs.length).toBeGreaterThan(3);
  const metrics = await metricsOf([
    ...endpoints.kas.map(({ observability }, index) => [`kas ${index + 1}`, observability] as const),
    ...Object.entries(endpoints.observability),
  ]);
  expect(metrics.filter(({ text }) => text.includes("process_cpu_seconds_total")).length).toBe(4);
  const monitored = { where: "Redis", text: await redis.stop() };
  expect(monitored.text).toContain("gitlab-kas");
  const stored = [await storageOf(page, context), await storageOf(other, other.context())];
  expect(canaries.found([...answers, ...seen, ...stored, ...logs, ...metrics, monitored])).toEqual([]);
  await other.context().close();
});

/** What is a secret of the sandbox from the start. */
function secretsOf(endpoints: Endpoints): readonly (readonly [what: string, word: string])[] {
  return [
    ...endpoints.users.map(({ username, personalAccessToken }) => [`token of ${username}`, personalAccessToken] as const),
    ...endpoints.agents.map(({ name, token }) => [`token of agent ${name}`, token] as const),
    ["job token", endpoints.ciJobToken],
    ["secret of the API", readFileSync(endpoints.apiJwtSecretFile, "utf8").trim()],
    ["secret of other kas", readFileSync(endpoints.internalJwtSecretFile, "utf8").trim()],
  ];
}

/** What those hear who may not read the Secret, or bear something wrong. */
async function refusedAnswers(endpoints: Endpoints, namespace: string): Promise<readonly Part[]> {
  const outsider = await runKubectl(endpoints.kubeconfigs.viaKasAs.outsider, [
    "get",
    "secret/canary",
    "-n",
    namespace,
    "-o",
    "json",
    "-v=0",
  ]);
  const answers = [outsider.stdout, outsider.stderr];
  const target = targetOf(endpoints.kubeconfigs.viaKas);
  const agent = pick(endpoints.agents, (entry) => entry.name === "demo").id;
  const wrong = [
    `Bearer ci:${agent}:${endpoints.ciJobToken}x`,
    `Bearer pat:${agent}:${endpoints.agents[0]?.token}`,
    `Bearer ci:${agent}:${endpoints.ciJobToken}`,
  ];
  for (const authorization of wrong) {
    const answer = await send(target, "/api/v1/namespaces/none/secrets/none", { headers: { authorization } });
    answers.push(JSON.stringify(answer.headers), await answer.body.text());
  }
  return [{ where: "refusals", text: answers.join("\n") }];
}
