// needs: redis
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { BrowserContext, Page } from "@playwright/test";

import { Canaries } from "../support/canaries.ts";
import { send, targetOf } from "../support/bearer-request.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl, runKubectl } from "../support/kubectl.ts";
import { listenToRedis } from "../support/redis-monitor.ts";
import type { Sandbox } from "../support/sandbox.ts";

test("T7, T31: no log, metric, Redis record, URL, storage or answer shows a Secret, a token or a cookie", async ({
  page,
  context,
  startSandbox,
}) => {
  const sandbox = await startSandbox(["--kas", "2"]);
  const { endpoints } = sandbox;
  const redis = await listenToRedis(endpoints.redis ?? "");
  const { namespace } = pick(endpoints.environments, (entry) => entry.name === "production");
  const value = `canary-${randomBytes(12).toString("hex")}`;
  const canaries = new Canaries([
    ["value of a Secret", value],
    ...endpoints.users.map(({ username, personalAccessToken }) => [`token of ${username}`, personalAccessToken] as const),
    ...endpoints.agents.map(({ name, token }) => [`token of agent ${name}`, token] as const),
    ["job token", endpoints.ciJobToken],
    ["secret of the API", readFileSync(endpoints.apiJwtSecretFile, "utf8").trim()],
    ["secret of other kas", readFileSync(endpoints.internalJwtSecretFile, "utf8").trim()],
  ]);
  const traffic = recordTraffic(page);
  await kubectl(endpoints.kubeconfigs.cluster, ["create", "secret", "generic", "canary", "-n", namespace, `--from-literal=word=${value}`]);

  // One session of every kind: a browser by cookie, kubectl by token, a job, and some that are refused.
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  const view = new EnvironmentPage(page);
  await expect(view.node("Deployment", "web")).toBeVisible();
  await view.node("Deployment", "web").click();
  await page.goto(`${graphUrl(sandbox, "production").split("?")[0]}?view=list`);
  await expect(page.getByText("canary").or(page.getByText("web")).first()).toBeVisible();
  const read = await kubectl(endpoints.kubeconfigs.viaKas, ["get", "secret/canary", "-n", namespace, "-o", "json"]);
  expect(read, "whoever may read it, reads it").toContain(Buffer.from(value).toString("base64"));
  const refused = await runKubectl(endpoints.kubeconfigs.viaKasAs.outsider, [
    "get",
    "secret/canary",
    "-n",
    namespace,
    "-o",
    "json",
    "-v=0",
  ]);
  const target = targetOf(endpoints.kubeconfigs.viaKas);
  const agent = pick(endpoints.agents, (entry) => entry.name === "demo").id;
  const wrong = [
    `Bearer ci:${agent}:${endpoints.ciJobToken}x`,
    `Bearer pat:${agent}:${endpoints.agents[0]?.token}`,
    `Bearer ci:${agent}:${endpoints.ciJobToken}`,
  ];
  const answers: string[] = [refused.stdout, refused.stderr];
  for (const authorization of wrong) {
    const answer = await send(target, "/api/v1/namespaces/none/secrets/none", { headers: { authorization } });
    answers.push(JSON.stringify(answer.headers), await answer.body.text());
  }

  const cookies = await context.cookies();
  canaries.add(cookies.filter(({ value: word }) => word.length >= 16).map(({ name, value: word }) => [`cookie ${name}`, word] as const));
  expect(canaries.found("answers", answers.join("\n"))).toEqual([]);
  expect((await Promise.all(traffic.map((part) => part))).flatMap(({ where, text }) => canaries.found(where, text))).toEqual([]);
  expect(canaries.found("storage", await storageOf(page, context))).toEqual([]);
  expect(logsOf(sandbox).flatMap(({ where, text }) => canaries.found(where, text))).toEqual([]);
  for (const { observability } of endpoints.kas) {
    const metrics = await fetch(new URL("/metrics", observability));
    expect(canaries.found("metrics", await metrics.text())).toEqual([]);
  }
  const said = await redis.stop();
  expect(said).toContain("gitlab-kas");
  expect(canaries.found("Redis", said)).toEqual([]);
});

interface Part {
  readonly where: string;
  readonly text: string;
}

/** Everything the browser sends and gets, but the Cookie header, the headers that set one, and what is typed into a sign-in form. */
function recordTraffic(page: Page): Promise<Part>[] {
  const parts: Promise<Part>[] = [];
  page.on("request", (request) => {
    const { cookie: _, ...headers } = request.headers();
    const isSignIn = /\/(?:sign_in|session\/token)$/.test(new URL(request.url()).pathname);
    const body = isSignIn ? "" : (request.postData() ?? "");
    parts.push(Promise.resolve({ where: `request ${request.url()}`, text: `${request.url()}\n${JSON.stringify(headers)}\n${body}` }));
  });
  page.on("response", (response) => {
    const { "set-cookie": _, ...headers } = response.headers();
    // A stream has no end, a redirect no body.
    const isStream = (headers["content-type"] ?? "").includes("connect+") || response.status() >= 300;
    const body = isStream ? Promise.resolve("") : response.text().catch(() => "");
    parts.push(body.then((text) => ({ where: `answer of ${response.url()}`, text: `${JSON.stringify(headers)}\n${text}` })));
  });
  page.on("console", (message) => void parts.push(Promise.resolve({ where: "console", text: message.text() })));
  return parts;
}

/** What scripts of the page can see and keep. */
async function storageOf(page: Page, context: BrowserContext): Promise<string> {
  const { origins } = await context.storageState({ indexedDB: true });
  const seen = await page.evaluate(
    () => `${JSON.stringify(Object.entries(sessionStorage))} ${document.cookie} ${document.documentElement.outerHTML}`,
  );
  return `${JSON.stringify(origins)} ${seen}`;
}

/** What the processes of the sandbox have printed. */
function logsOf(sandbox: Sandbox): readonly Part[] {
  const directory = join(sandbox.directory, "log");
  const files = readdirSync(directory).map((name) => ({ where: `log ${name}`, text: readFileSync(join(directory, name), "utf8") }));
  expect(files.length).toBeGreaterThan(3);
  return files;
}
