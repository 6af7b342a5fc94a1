import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";

import type { Page } from "@playwright/test";

import { pick } from "../support/endpoints.ts";
import { EnvironmentPage, graphUrl, signIn } from "../support/environment-page.ts";
import { expect, test } from "../support/fixtures.ts";
import { giveOwnStream } from "../support/own-stream.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { ask, BROWSER_CODINGS } from "../support/sent-answer.ts";

function tokenOf(sandbox: Sandbox, username: string): string {
  return pick(sandbox.endpoints.users, (user) => user.username === username).personalAccessToken;
}

/** A page of another origin; the cookies of the dashboard's host go with its frames, because a port is no site of its own. */
async function openForeignSite(html: string): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((_request, response) => void response.setHeader("content-type", "text/html").end(html));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** What the browser says about the policy of any page from now on. */
function violationsOf(page: Page): string[] {
  const violations: string[] = [];
  page.on("console", (message) => {
    if (/content security policy|refused to|violates/i.test(message.text())) violations.push(message.text());
  });
  page.on("pageerror", (error) => violations.push(error.message));
  return violations;
}

async function signInWithToken(page: Page, sandbox: Sandbox, { query = "" } = {}): Promise<void> {
  await page.goto(`${sandbox.endpoints.dashboard}/sign-in${query}`);
  await page.getByLabel("Personal access token").fill(tokenOf(sandbox, "developer"));
  await page.getByRole("button", { name: "Sign in with a token" }).click();
  await page.waitForURL((url) => url.pathname !== "/sign-in" && url.pathname !== "/api/session/token");
}

/** Sends bytes and reads the first line of the answer. */
function firstLineOf(sandbox: Sandbox, bytes: string): Promise<string> {
  const { hostname, port } = new URL(sandbox.endpoints.dashboard);
  const socket = connect(Number(port), hostname);
  return new Promise((resolve, reject) => {
    socket.once("error", reject).once("data", (data) => {
      resolve(String(data).split("\r\n", 1)[0] ?? "");
      socket.destroy();
    });
    socket.write(bytes);
  });
}

test("XS7, T10: a page of another origin frames the dashboard, with the viewer's session, and shows nothing of it", async ({
  page,
  sandbox,
}) => {
  const url = graphUrl(sandbox, "staging");
  await signIn(page, sandbox, { username: "maintainer", url });
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
  const foreign = await openForeignSite(`<h1>Free screensavers</h1><iframe width="900" height="900" src="${url}"></iframe>`);
  try {
    const refusal = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors 'none'"));
    await page.goto(foreign.url);
    await refusal;
    await expect(page.getByRole("heading", { name: "Free screensavers" })).toBeVisible();
    const frame = page.frames()[1];
    expect(frame?.url()).toBe("chrome-error://chromewebdata/");
    expect(await frame?.content()).not.toContain("staging");
  } finally {
    foreign.server.close();
  }
});

test("XS7: every page works under its policy, and the browser refuses nothing of it", async ({ page, sandbox }) => {
  const violations = violationsOf(page);
  const url = graphUrl(sandbox, "production");
  await signIn(page, sandbox, { username: "maintainer", url });
  const view = new EnvironmentPage(page);
  await view.node("Deployment", "web").click();
  await expect(page.getByRole("tab", { name: "YAML" })).toBeVisible();
  await page.getByRole("tab", { name: "YAML" }).click();
  await expect(page.getByText("apiVersion: apps/v1")).toBeVisible();
  const base = url.split("?")[0] ?? "";
  await page.goto(`${base}?view=graph&as=tree`);
  await expect(page.getByRole("treeitem").first()).toBeVisible();
  for (const [address, name] of [
    [`${base}?view=summary`, "production"],
    [`${base}?view=list`, "production"],
    [`${sandbox.endpoints.dashboard}/`, "Environments"],
    [`${sandbox.endpoints.dashboard}/sign-in`, "Sign in to Binnacle"],
    [`${sandbox.endpoints.dashboard}/p/x`, "Not found"],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1, name })).toBeAttached();
  }
  // From page to page without loading, and a cookie that a script sets.
  await page.getByRole("link", { name: "All projects" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Environments" })).toBeAttached();
  await page.getByRole("button", { name: "Switch between light and dark" }).click();
  expect(violations).toEqual([]);
});

test("XS7: every page is made anew, and each of its scripts bears the nonce of its own answer", async ({ sandbox }) => {
  const nonces = new Set<string>();
  for (const path of ["/sign-in", "/sign-in", "/p/x", "/p/%ff", "/nowhere"]) {
    const answer = await fetch(sandbox.endpoints.dashboard + path);
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get("content-security-policy") ?? "")?.[1] ?? "";
    nonces.add(nonce);
    const scripts = (await answer.text()).match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(1);
    expect(scripts.filter((script) => !script.includes(`nonce="${nonce}"`))).toEqual([]);
    expect(answer.headers.get("cache-control")).toContain("no-store");
  }
  expect(nonces.size).toBe(5);
});

test("XS7: static files, calls and errors have the headers of security", async ({ sandbox }) => {
  const { dashboard } = sandbox.endpoints;
  const html = await (await fetch(`${dashboard}/sign-in`)).text();
  const file = /\/_next\/static\/[^"]+\.js/.exec(html)?.[0] ?? "";
  const answers = await Promise.all([
    fetch(dashboard + file),
    fetch(`${dashboard}/icon.svg`),
    fetch(`${dashboard}/_next/static/none.js`),
    fetch(`${dashboard}/_next/image?url=http://127.0.0.1/&w=64&q=75`),
    fetch(`${dashboard}/api/rpc/dashboard.v1.Dashboard/ListProjects`, { method: "POST", body: "x".repeat(100_000) }),
    fetch(`${dashboard}/api/nowhere`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 415, 404]);
  for (const { headers } of answers) {
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});

test("W15, T29: files of the build are compressed, pages and answers about sessions are not", async ({ page, sandbox }) => {
  const { dashboard } = sandbox.endpoints;
  const encodings = new Map<string, string | undefined>();
  /** Files of less than a kilobyte, which no encoding makes smaller on the wire. */
  const short = new Set<string>();
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    const { "content-encoding": encoding, "content-length": length } = response.headers();
    encodings.set(pathname, encoding);
    if (Number(length ?? Infinity) < 1_024) short.add(pathname);
  });
  await page.goto(`${dashboard}/sign-in`);
  await expect(page.getByRole("heading", { level: 1, name: "Sign in to Binnacle" })).toBeAttached();
  const files = [...encodings].filter(([path]) => /^\/_next\/static\/.*\.(js|css)$/.test(path) && !short.has(path));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter(([, encoding]) => encoding !== "br")).toEqual([]);
  expect([encodings.get("/sign-in"), encodings.get("/api/session")]).toEqual([undefined, undefined]);
});

test("W15: a file of the build comes in the smallest form that is taken, has the same content in each, and is sent in full to range requests", async ({
  sandbox,
}) => {
  const { dashboard } = sandbox.endpoints;
  const html = await (await fetch(`${dashboard}/sign-in`)).text();
  const path = /\/_next\/static\/chunks\/[\w.~-]+\.js/.exec(html)?.[0] ?? "";
  const plain = await ask(`${dashboard}${path}`, {});
  expect(plain.headers).not.toHaveProperty("content-encoding");
  expect(plain.sent.length).toBeGreaterThan(1_024);
  const forms = [
    [BROWSER_CODINGS, "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity", undefined],
  ] as const;
  for (const [accepted, encoding] of forms) {
    const { status, headers, sent, content } = await ask(`${dashboard}${path}?v=1`, { "accept-encoding": accepted });
    expect([status, headers["content-encoding"], headers["content-type"], headers.vary, headers["x-content-type-options"]]).toEqual([
      200,
      encoding,
      plain.headers["content-type"],
      plain.headers.vary,
      "nosniff",
    ]);
    expect(headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(content.equals(plain.sent)).toBe(true);
    if (encoding !== undefined) expect(sent.length).toBeLessThan(plain.sent.length / 2);
  }
  // A client that has it already gets 304; one that requests a part gets all, because a part of another form is useless.
  const taken = { "accept-encoding": "br" };
  const { headers, content } = await ask(`${dashboard}${path}`, { ...taken, range: "bytes=5-9", "if-match": '"other"' });
  expect(content.equals(plain.sent)).toBe(true);
  expect((await ask(`${dashboard}${path}`, { ...taken, "if-none-match": headers.etag })).status).toBe(304);
  const none = await ask(`${dashboard}${path.replace(".js", "-none.js")}`, taken);
  expect([none.status, none.headers["content-encoding"]]).toEqual([404, undefined]);
});

test("W15: the stream of a page is compressed", async ({ page, sandbox }) => {
  await giveOwnStream(page);
  const stream = page.waitForResponse((response) => response.url().endsWith("/Watch"));
  await signIn(page, sandbox, { username: "maintainer", url: graphUrl(sandbox, "production") });
  expect((await stream).headers()["content-encoding"]).toBe("gzip");
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });
  test("XS8, T25: the form signs in and stays with us, whatever return address it was given", async ({ page, sandbox }) => {
    for (const path of ["/..//127.0.0.1:1/phish", "/\t/127.0.0.1:1/phish", "/\\127.0.0.1:1/phish"]) {
      await page.context().clearCookies();
      await signInWithToken(page, sandbox, { query: `?return_to=${encodeURIComponent(path)}` });
      expect(new URL(page.url()).origin).toBe(new URL(sandbox.endpoints.dashboard).origin);
    }
  });
});

test("XS8, T25: with scripts the sign-in stays with us too", async ({ page, sandbox }) => {
  for (const path of ["/\t/127.0.0.1:1/phish", "/..//127.0.0.1:1/phish"]) {
    await page.context().clearCookies();
    await signInWithToken(page, sandbox, { query: `?return_to=${encodeURIComponent(path)}` });
    expect(new URL(page.url()).origin).toBe(new URL(sandbox.endpoints.dashboard).origin);
  }
});

test("XM5: signing out in one tab ends the other at once", async ({ page, sandbox }) => {
  const url = graphUrl(sandbox, "production");
  await signInWithToken(page, sandbox, { query: `?return_to=${encodeURIComponent(url.slice(sandbox.endpoints.dashboard.length))}` });
  await expect(new EnvironmentPage(page).node("Deployment", "web")).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(sandbox.endpoints.dashboard);
  await other.getByRole("button", { name: "developer" }).click();
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.waitForURL((address) => address.pathname === "/sign-in");
  await expect(page.getByRole("alert").getByText("Your session ended. Sign in to continue.")).toBeVisible();
});

test("XM11: an address that is no UTF-8 is a page that is not there, and TRACE is no method", async ({ page, sandbox }) => {
  const answer = await page.goto(`${sandbox.endpoints.dashboard}/p/%ff`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByText("There is no such page.")).toBeVisible();
  expect(await firstLineOf(sandbox, "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n")).toBe("HTTP/1.1 405 Method Not Allowed");
});

test("XS5: a sign-in of 450 MB is refused by its first line", async ({ sandbox }) => {
  const head = "POST /api/session/token HTTP/1.1\r\nHost: x\r\nContent-Length: 450000000\r\n\r\n";
  expect(await firstLineOf(sandbox, head)).toBe("HTTP/1.1 413 Payload Too Large");
});
