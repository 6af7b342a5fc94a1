import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { HOST, OidcWorld, sessionOf } from "../../testing/oidc-world.ts";
import type { WebProcess } from "../../testing/web-processes.ts";
import type { WebBrowser } from "../../session/testing/web-browser.ts";

let world: OidcWorld;
let web: WebProcess;
let browser: WebBrowser;
beforeEach(async () => {
  world = await OidcWorld.open();
  web = await world.start();
  browser = world.browser(web);
});
afterEach(() => world.close());

/** Where a callback leads, without prefix. */
async function outcomeOf(of: WebBrowser, callback: string): Promise<string> {
  return ((await of.fetch(callback)).headers.get("location") ?? "").replace(ORIGIN, "");
}

test("a page without a session leads to the provider and back to its exact address, and its calls work", async () => {
  const page = "/p/group/app/environments/production?kind=Pod&q=a%26b";
  const { url, answer } = await browser.open(`${ORIGIN}${page}`);
  expect([url, answer?.status]).toEqual([`${ORIGIN}${page}`, 200]);
  expect(browser.visited.some((visit) => visit.startsWith(`GET ${world.provider.issuer}/auth?`))).toBe(true);
  expect(await sessionOf(browser)).toMatchObject({ way: "provider", signIn: { name: "Example ID" }, clusterToken: "made" });
  const { viewer } = await world.web.client(web.address, browser.cookies(HOST)).listProjects({});
  expect(viewer?.username).toBe("ann");
});

test("GraphQL takes the access token, and clusters a token of the single scope k8s_proxy that ends within a day or so", async () => {
  await world.signIn(browser);
  const tab = world.web.tab(web.address, browser.cookies(HOST));
  await tab.until((now) => now.isComplete());
  expect(tab.named("first")).toBeDefined();
  const [created] = world.web.main.proxyTokens.values();
  expect(created?.scopes).toEqual(["k8s_proxy"]);
  const lifeMs = Date.parse(String(created?.expiresAt)) - Date.now();
  expect(lifeMs).toBeGreaterThan(0);
  expect(lifeMs).toBeLessThanOrEqual(25 * 3_600_000);
});

test("T81: the request has state, nonce and PKCE by S256, no token is in an address or readable in a cookie", async () => {
  await world.signIn(browser);
  const request = new URL(browser.visited.find((visit) => visit.includes("/auth?"))?.slice(4) ?? "");
  expect(Object.fromEntries(request.searchParams)).toMatchObject({
    response_type: "code",
    redirect_uri: `${ORIGIN}/api/session/callback`,
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    state: expect.stringMatching(/^[\w-]{43}$/) as string,
    nonce: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  const tokens = [...world.web.main.tokens.keys()].filter((token) => token !== "glpat-ann");
  expect(tokens.length).toBeGreaterThan(1);
  for (const token of tokens) expect([...browser.visited, browser.cookies(HOST)].join("\n")).not.toContain(token);
});

describe("T81: a callback counts in the browser that began it, once", () => {
  test("T81: in another browser it begins no session (session fixation, login CSRF)", async () => {
    const callback = await world.callback(browser);
    const other = world.browser(web);
    expect(await outcomeOf(other, callback)).toBe("/sign-in?problem=not-begun&return_to=%2F");
    expect(await sessionOf(other)).toMatchObject({ way: null });
  });

  test("T81: a second time it begins no session, and the session of the first goes on", async () => {
    const callback = await world.callback(browser);
    expect(await outcomeOf(browser, callback)).toBe("/p/group/app/environments");
    expect(await outcomeOf(browser, callback)).toContain("problem=not-begun");
    expect(await sessionOf(browser)).toMatchObject({ way: "provider" });
  });

  test("T81: with a changed state, or none, it begins no session", async () => {
    const callback = new URL(await world.callback(browser));
    callback.searchParams.set("state", "x".repeat(43));
    expect(await outcomeOf(browser, callback.href)).toContain("problem=not-begun");
    callback.searchParams.delete("state");
    expect(await outcomeOf(browser, callback.href)).toContain("problem=not-begun");
  });

  test("T81: a foreign session that was put into the browser is replaced and ended", async () => {
    const other = world.browser(web);
    await world.signIn(other);
    const planted = other.cookies(HOST);
    browser.setCookies(HOST, planted);
    await world.signIn(browser);
    expect(browser.cookies(HOST)).not.toBe(planted);
    expect(await world.web.wayAt(web.address, planted)).toBeNull();
    expect(await sessionOf(browser)).toMatchObject({ way: "provider" });
  });

  test("T81: two tabs sign in at once, each with its own", async () => {
    const [one, two] = [await world.callback(browser), await world.callback(browser)];
    expect(await outcomeOf(browser, one)).toBe("/p/group/app/environments");
    expect(await outcomeOf(browser, two)).toBe("/p/group/app/environments");
    expect(await sessionOf(browser)).toMatchObject({ way: "provider" });
  });
});

test("a sign-in that began at one process ends at another", async () => {
  const callback = await world.callback(browser);
  const other = world.browser(await world.start());
  other.setCookies(HOST, browser.cookies(HOST));
  expect(await outcomeOf(other, callback)).toBe("/p/group/app/environments");
  expect(await sessionOf(other)).toMatchObject({ way: "provider" });
});

test("T82: a callback of another issuer (mix-up), or of none although the provider names itself, begins no session", async () => {
  for (const issuer of ["http://127.0.0.1:1", undefined]) {
    const callback = new URL(await world.callback(browser));
    if (issuer === undefined) callback.searchParams.delete("iss");
    else callback.searchParams.set("iss", issuer);
    expect(await outcomeOf(browser, callback.href)).toContain("problem=refused");
  }
  expect(world.provider.grants).toEqual([]);
  expect(await sessionOf(browser)).toMatchObject({ way: null });
});

describe("T83: an ID token that is not for this sign-in begins no session", () => {
  const nowSeconds = (): number => Math.floor(Date.now() / 1_000);
  const good = (): Record<string, unknown> => ({ sub: "ann", exp: nowSeconds() + 3_600 });
  test.each([
    ["of another audience", () => ({ aud: "another-client" })],
    ["of another issuer", () => ({ iss: "http://127.0.0.1:1" })],
    ["that has expired", () => ({ iat: nowSeconds() - 3_600, exp: nowSeconds() - 120 })],
    ["of another sign-in, by its nonce", () => ({ nonce: "another" })],
  ])("T83: %s", async (_name, change) => {
    world.provider.tamper = async (answer, sign) => {
      answer.id_token = await sign({ ...good(), nonce: nonceOf(browser), ...change() });
    };
    expect(await outcomeOf(browser, await world.callback(browser))).toContain("problem=refused");
    expect(await sessionOf(browser)).toMatchObject({ way: null });
  });

  test("T83: one without a signature, and one of another key", async () => {
    const claims = (): string =>
      Buffer.from(
        JSON.stringify({ iss: world.provider.issuer, aud: "binnacle", iat: nowSeconds(), ...good(), nonce: nonceOf(browser) }),
      ).toString("base64url");
    world.provider.tamper = async (answer) => {
      answer.id_token = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims()}.`;
    };
    expect(await outcomeOf(browser, await world.callback(browser))).toContain("problem=refused");
    world.provider.tamper = async (answer, sign) => {
      const [head, , signature] = (await sign({ ...good(), nonce: "another" })).split(".");
      answer.id_token = `${head}.${claims()}.${signature}`;
    };
    expect(await outcomeOf(browser, await world.callback(browser))).toContain("problem=refused");
  });

  test("T83: clocks that differ by 20 s do no harm, whichever is ahead", async () => {
    for (const seconds of [-20, 20]) {
      world.provider.tamper = async (answer, sign) => {
        const exp = seconds < 0 ? nowSeconds() + seconds : nowSeconds() + 3_600;
        answer.id_token = await sign({ ...good(), exp, iat: nowSeconds() + seconds, nonce: nonceOf(browser) });
      };
      expect(await outcomeOf(browser, await world.callback(browser))).toBe("/p/group/app/environments");
    }
  });
});

test("what the viewer declines, and what the main application does not accept, leads to the sign-in page, which keeps the address", async () => {
  world.provider.declines = true;
  expect(await world.signIn(browser)).toBe("/sign-in?problem=denied&return_to=%2Fp%2Fgroup%2Fapp%2Fenvironments");
  world.provider.declines = false;
  world.provider.tamper = async ({ access_token: token = "" }) => void world.web.main.tokens.delete(token);
  expect(await world.signIn(browser)).toContain("problem=not-accepted");
  expect(await sessionOf(browser)).toMatchObject({ way: null });
});

test("a provider that does not answer leads to the sign-in page, and is tried again with the next sign-in", async () => {
  const away = await world.start({ issuer: "http://127.0.0.1:1" });
  expect(await world.signIn(world.browser(away))).toContain("problem=unavailable");
});

test("where no token for clusters is made, all else works, and one that the viewer pastes opens clusters", async () => {
  world.web.main.refusesProxyTokens = 403;
  await world.signIn(browser);
  expect(await sessionOf(browser)).toMatchObject({ way: "provider", clusterToken: "missing" });
  const { viewer } = await world.web.client(web.address, browser.cookies(HOST)).listProjects({});
  expect(viewer?.username).toBe("ann");
  const tab = world.web.tab(web.address, browser.cookies(HOST));
  await tab.until(({ problem }) => problem?.words?.id === "problem/no-cluster-token");
  expect(tab.problem?.link).toBe(`${ORIGIN}/sign-in?return_to=${encodeURIComponent("/p/group/app/environments/production")}`);
  const request = { method: "POST", headers: { origin: ORIGIN }, body: JSON.stringify({ token: "glpat-ann" }) };
  expect((await browser.fetch(`${ORIGIN}/api/session/cluster-token`, { ...request, body: '{"token":"a:b"}' })).status).toBe(400);
  expect((await browser.fetch(`${ORIGIN}/api/session/cluster-token`, request)).status).toBe(204);
  expect(await sessionOf(browser)).toMatchObject({ clusterToken: "pasted" });
  await tab.until((now) => now.named("first") !== undefined);
});

/** The nonce of the sign-in that the browser began last. */
function nonceOf(of: WebBrowser): string {
  const request = of.visited.findLast((visit) => visit.includes("/auth?"))?.slice(4) ?? "";
  return new URL(request).searchParams.get("nonce") ?? "";
}
