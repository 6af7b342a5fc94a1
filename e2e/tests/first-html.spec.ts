import { lazyParts } from "../support/built-chunks.ts";
import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { haltProcesses } from "../support/process-control.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { ask, BROWSER_CODINGS } from "../support/sent-answer.ts";

/** Signs in with a token, as a page does. @returns the cookie */
async function cookieOf(sandbox: Sandbox, username: string): Promise<string> {
  const { dashboard, users } = sandbox.endpoints;
  const { personalAccessToken: token } = pick(users, (user) => user.username === username);
  const answer = await fetch(new URL("/api/session/token", dashboard), {
    method: "POST",
    headers: { "content-type": "application/json", origin: new URL(dashboard).origin },
    body: JSON.stringify({ token }),
  });
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

function urlOf(sandbox: Sandbox, environment: string): string {
  return pick(sandbox.endpoints.environments, ({ name }) => name === environment).url;
}

/** The page, requested as by a browser; its scripts do not run. */
function open(url: string, cookie = ""): Promise<Response> {
  return fetch(url, { headers: { accept: "text/html", ...(cookie === "" ? {} : { cookie }) }, redirect: "manual" });
}

/** What the scripts of an environment's first page weigh as they are sent, without headers: 160.6 kB in brotli, 187 kB where only gzip is taken. */
const MAX_BYTES = 162_000;
/** React and the router of Next alone weigh more: with less, not all was counted. */
const LEAST_BYTES = 120_000;
/** What no page needs to be shown: descriptors of protobuf, its JSON, the library of the list, the cache of answers, the catalogue of sentences. */
const NOT_YET = ["FieldDescriptorProto", "google.protobuf.Any", "measureElement", "gcTime", "has no endpoints"];

/** What is loaded when it is opened weighs at most this in brotli, each. */
const MAX_LAZY_BYTES = 150_000;
/** Such parts, and a text that only their own code has. */
const LAZY = [
  ["a terminal (xterm)", "xterm-screen"],
  ["the editor (CodeMirror with YAML and schema)", "cm-content"],
  ["a log", "data-gap"],
  ["the dialog of an action", "data-action-dialog"],
  ["the dialog of an action on many resources", "data-many"],
] as const;

/** A script: how much of it was sent, and what it says. */
async function scriptOf(url: URL): Promise<{ readonly name: string; readonly sent: number; readonly text: string }> {
  const { sent, content } = await ask(url, { "accept-encoding": BROWSER_CODINGS });
  return { name: url.pathname, sent: sent.length, text: content.toString() };
}

/** What a reader sees: without scripts, and without what a script would have to make visible. */
function textOf(html: string): string {
  const shown = html.replaceAll(/<script\b.*?<\/script>/gs, "").replace(/<div hidden="" id="S:.*$/s, "");
  return shown.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
}

/** Asks for an environment, staging, until the view behind it has been read once, and its image been tried: then its summary is there in time. */
async function warmHtml(url: string, cookie: string, warm = /Health Degraded .* Deployment payments: (image|registry) /): Promise<string> {
  let html = "";
  await expect
    .poll(async () => {
      html = await (await open(url, cookie)).text();
      return textOf(html);
    })
    .toMatch(warm);
  return html;
}

test("the first HTML of an environment has its name, project, agent, health, counts and worst reason, as of a time", async ({
  sandbox,
}) => {
  const html = await warmHtml(urlOf(sandbox, "staging"), await cookieOf(sandbox, "maintainer"));
  const text = textOf(html);
  expect(html).toMatch(/<h1[^>]*>staging<\/h1>/);
  for (const part of ["group", "app", "demo", "Tier: staging", "Deployment payments: "]) expect(text).toContain(part);
  expect(text).toMatch(/Health Degraded \d+ of \d+, as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/);
  expect(text).toMatch(/\d+ of \d+ checked resources (?:is|are) degraded/);
  expect(text).toMatch(/[0-9a-f]{8} .* deployed \d{4}-\d\d-\d\d \d\d:\d\d UTC by @ ?developer ?, job deploy:staging/);
});

test("the first HTML of a filtered summary shows no issue that the address does not ask for", async ({ sandbox }) => {
  const [url, cookie] = [urlOf(sandbox, "staging"), await cookieOf(sandbox, "maintainer")];
  expect(await warmHtml(`${url}?view=summary`, cookie)).toContain("data-why");
  for (const query of ["q=nothing-is-called-so", "kind=Job", "health=missing", "order=newest"]) {
    const html = await warmHtml(`${url}?view=summary&${query}`, cookie, /checked resources (?:is|are) degraded/);
    expect(html, query).toContain("data-first-summary");
    expect(html, query).not.toContain("data-why");
  }
});

test("the first HTML of an environment that GitOps deploys has the commit that was applied, and how the sync stands", async ({
  sandbox,
}) => {
  const cookie = await cookieOf(sandbox, "maintainer");
  // What other specifications have changed by hand is drift.
  const warm = / [0-9a-f]{8} .* by Sandbox applied by GitOps .* Health Healthy \d+ of \d+.* Sync (?:Synced|Out of sync \d)/;
  expect(textOf(await warmHtml(urlOf(sandbox, "production"), cookie, warm))).not.toContain("not known, or not to you");
});

test("the first HTML of a project has a row for each environment, of all projects a way to each", async ({ page, sandbox }) => {
  const index = urlOf(sandbox, "staging").replace(/\/[^/]+$/, "");
  // Environments are viewed while another user with the same cluster identity has an index open: a token gives a user another identity.
  await signIn(page, sandbox, { username: "maintainer", url: index });
  await expect(page.getByRole("row", { name: /staging/ })).toContainText("Degraded");
  const cookie = (await page.context().cookies(index)).map(({ name, value }) => `${name}=${value}`).join("; ");
  await expect.poll(async () => textOf(await (await open(index, cookie)).text())).toMatch(/staging.*Degraded/);
  const html = await (await open(index, cookie)).text();
  for (const { name } of sandbox.endpoints.environments) expect(html).toContain(`data-environment="${name}"`);
  const projects = await open(new URL("/", index).href, cookie);
  if (projects.status === 200) expect(await projects.text()).toContain(`href="${new URL(index).pathname}"`);
  else expect(projects.headers.get("location")).toBe(new URL(index).pathname);
});

test("a slow summary does not hold the page: its beginning is there before, and the summary comes in the same answer", async ({
  sandbox,
}) => {
  const [url, cookie] = [urlOf(sandbox, "staging"), await cookieOf(sandbox, "maintainer")];
  await warmHtml(url, cookie);
  const wake = haltProcesses(sandbox.endpoints.pids.agentk[0] ?? 0);
  try {
    const answer = await open(url, cookie);
    if (answer.body === null) throw new Error("the answer has no body");
    const chunks = answer.body[Symbol.asyncIterator]();
    const decoder = new TextDecoder();
    let html = "";
    const readUntil = async (isEnough: () => boolean): Promise<void> => {
      while (!isEnough()) {
        const { done, value } = await chunks.next();
        if (done === true) return;
        html += decoder.decode(value, { stream: true });
      }
    };
    await readUntil(() => html.includes("Loading resources"));
    expect(html).toMatch(/<h1[^>]*>staging<\/h1>/);
    expect(textOf(html)).toContain("Health Not known yet");
    expect(html).not.toContain("ImagePullBackOff");
    wake();
    await readUntil(() => false);
    expect(html).toContain("ImagePullBackOff");
  } finally {
    wake();
  }
});

test("T24: every user is sent their own: no HTML has names or numbers of others, for any number of simultaneous requests", async ({
  sandbox,
}) => {
  const url = urlOf(sandbox, "staging");
  const [maintainer, outsider] = [await cookieOf(sandbox, "maintainer"), await cookieOf(sandbox, "outsider")];
  await warmHtml(url, maintainer);
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const answer = await open(url, index % 2 === 0 ? maintainer : outsider);
      return {
        of: index % 2 === 0 ? "maintainer" : "outsider",
        cacheControl: answer.headers.get("cache-control"),
        html: await answer.text(),
      };
    }),
  );
  // The answer stays open for three seconds: when so many ask, what is one's own may come too late for it. What is another's never comes.
  expect(answers.filter(({ html }) => html.includes("ImagePullBackOff")).map(({ of }) => of)).toContain("maintainer");
  for (const { of, cacheControl, html } of answers) {
    expect(cacheControl).toMatch(/private.*no-store/);
    if (of === "outsider") expect(html).not.toContain("ImagePullBackOff");
    // Who one is oneself may come after the page, when so many ask.
    expect(html).not.toContain(of === "maintainer" ? "Otto Outsider" : "Mara Maintainer");
  }
});

test("without a sign-in the answer leads to the sign-in, and there is no data in it; a session that is over is none", async ({
  sandbox,
}) => {
  const url = urlOf(sandbox, "staging");
  for (const cookie of ["", "_gitlab_session=over", "_binnacle_session=made-up"]) {
    const answer = await open(url, cookie);
    expect(answer.status, cookie).toBeGreaterThanOrEqual(300);
    expect(answer.status, cookie).toBeLessThan(400);
    expect(await answer.text(), cookie).not.toMatch(/ImagePullBackOff|Mara Maintainer|Tier: staging/);
  }
});

test("no credential is in any HTML", async ({ sandbox }) => {
  const cookie = await cookieOf(sandbox, "maintainer");
  const { personalAccessToken } = pick(sandbox.endpoints.users, ({ username }) => username === "maintainer");
  const html = await warmHtml(urlOf(sandbox, "staging"), cookie);
  expect(html).not.toContain(personalAccessToken);
  expect(html).not.toContain(cookie.split("=").slice(1).join("="));
});

test("without JavaScript an environment reads well", async ({ browser, sandbox }) => {
  const cookie = await cookieOf(sandbox, "maintainer");
  const url = urlOf(sandbox, "staging");
  await warmHtml(url, cookie);
  const context = await browser.newContext({ javaScriptEnabled: false });
  const [name = "", ...value] = cookie.split("=");
  await context.addCookies([{ name, value: value.join("="), url: new URL(url).origin }]);
  const page = await context.newPage();
  await page.goto(url);
  await expect(page.getByRole("heading", { level: 1, name: "staging" })).toBeVisible();
  await expect(new EnvironmentPage(page).health).toContainText("Degraded");
  await expect(page.getByText(/resources (?:is|are) degraded/)).toBeVisible();
  // Playwright passes over the texts of this element.
  expect(await page.locator("noscript").evaluate((element: HTMLElement) => element.innerText)).toContain(
    "Without JavaScript nothing here is live",
  );
  await page.goto(url.replace(/\/[^/]+$/, ""));
  await expect(page.getByRole("row", { name: /staging/ })).toBeVisible();
  await context.close();
});

test("the stream takes the place of what the page was sent with, and a browser in another time zone finds no difference", async ({
  browser,
  sandbox,
}) => {
  const cookie = await cookieOf(sandbox, "maintainer");
  const url = `${urlOf(sandbox, "staging")}?view=summary`;
  await warmHtml(url, cookie);
  const context = await browser.newContext({ timezoneId: "Pacific/Auckland" });
  const [name = "", ...value] = cookie.split("=");
  await context.addCookies([{ name, value: value.join("="), url: new URL(url).origin }]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  // What the health was called, from the first HTML on.
  await page.addInitScript(() => {
    const words: string[] = [];
    const look = (): void => {
      const word = document.querySelector("[data-health][data-partial]")?.getAttribute("data-health");
      if (word !== undefined && word !== null && word !== words.at(-1)) words.push(word);
      document.documentElement.dataset["words"] = words.join(" ");
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const html = (await (await page.goto(url))?.text()) ?? "";
  const health = new EnvironmentPage(page).health;
  await expect(page.locator('[data-connection="live"]')).toBeVisible();
  await expect(health).not.toContainText("as of");
  await expect(health).toHaveAttribute("data-health", "degraded");
  // On a busy machine the summary comes after the page's beginning, in the same answer, which then says so; what is known is never taken back.
  const words = await page.locator("html").getAttribute("data-words");
  expect(html.includes('data-health="none"') ? ["degraded", "none degraded"] : ["degraded"]).toContain(words);
  expect(problems).toEqual([]);
  await context.close();
});

test("the scripts that an environment's HTML names weigh what they did at most, and hold nothing that may come later", async ({
  sandbox,
}) => {
  const url = urlOf(sandbox, "staging");
  const html = await warmHtml(url, await cookieOf(sandbox, "maintainer"));
  // In tags, and in what tells React which components there are. One is for browsers without modules, and no other loads it.
  const named = new Set([...html.matchAll(/\/_next\/static\/chunks\/[\w.~-]+\.js/g)].map(([name]) => name));
  const old = /<script src="[^"]*(\/_next\/static\/chunks\/[^"]+)"[^>]* noModule=""/i.exec(html)?.[1] ?? "";
  expect(named.delete(old)).toBe(true);
  const scripts = await Promise.all([...named].map((name) => scriptOf(new URL(name, url))));
  const bytes = scripts.reduce((sum, { sent }) => sum + sent, 0);
  expect(bytes).toBeGreaterThan(LEAST_BYTES);
  expect(bytes, scripts.map(({ name, sent }) => `${name} ${sent}`).join("\n")).toBeLessThanOrEqual(MAX_BYTES);
  const early = NOT_YET.filter((word) => scripts.some(({ text }) => text.includes(word)));
  expect(early).toEqual([]);
});

for (const [what, marker] of LAZY) {
  test(`what is loaded for ${what} weighs at most ${MAX_LAZY_BYTES / 1_000} kB`, () => {
    const parts = lazyParts(marker);
    expect(parts.length, "its code is loaded when it is opened, not before").toBeGreaterThan(0);
    for (const { files, bytes } of parts) expect(bytes, files.join(" ")).toBeLessThanOrEqual(MAX_LAZY_BYTES);
  });
}
