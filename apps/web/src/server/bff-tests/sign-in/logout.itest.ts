import { afterEach, describe, expect, test } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { HOST, OidcWorld, sessionOf } from "../../testing/oidc-world.ts";
import type { WebBrowser } from "../../session/testing/web-browser.ts";

const LOGOUT_EVENT = { "http://schemas.openid.net/event/backchannel-logout": {} };
const BACKCHANNEL = "/api/session/backchannel-logout";

let world: OidcWorld;
afterEach(() => world.close());

/** Signs out as the menu does. @returns where the page goes then */
async function signOut(browser: WebBrowser): Promise<string> {
  const answer = await browser.fetch(`${ORIGIN}/api/session`, { method: "DELETE", headers: { origin: ORIGIN } });
  // It is ours.
  return ((await answer.json()) as { readonly goTo: string }).goTo;
}

/** Sends a logout token as the provider's server does. */
async function logoutStatus(address: string, token: string): Promise<number> {
  return (await fetch(`http://${address}${BACKCHANNEL}`, { method: "POST", body: new URLSearchParams({ logout_token: token }) })).status;
}

test("signing out ends the session, revokes all its tokens, and the provider's own session by its end_session_endpoint", async () => {
  world = await OidcWorld.open();
  const web = await world.start();
  const browser = world.browser(web);
  await world.signIn(browser);
  const cookie = browser.cookies(HOST);
  const [proxyToken] = world.web.main.proxyTokens.values();
  expect(world.web.main.tokens.has(proxyToken?.token ?? "")).toBe(true);
  const goTo = new URL(await signOut(browser));
  expect(goTo.origin).toBe(world.provider.issuer);
  expect(goTo.searchParams.get("post_logout_redirect_uri")).toBe(`${ORIGIN}/sign-in?signed_out=everywhere`);
  expect(world.web.main.tokens.has(proxyToken?.token ?? "")).toBe(false);
  expect(world.provider.revocations).toBe(2);
  expect([browser.cookies(HOST), await world.web.wayAt(web.address, cookie)]).toEqual(["", null]);
  const end = await browser.fetch(goTo.href);
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(await end.text())?.[1] ?? "";
  const done = await browser.fetch(`${world.provider.issuer}/session/end/confirm`, {
    method: "POST",
    body: new URLSearchParams({ xsrf, logout: "yes" }),
  });
  expect(done.headers.get("location")).toBe(`${ORIGIN}/sign-in?signed_out=everywhere`);
});

test("with a provider that ends no sessions the page says that its own goes on", async () => {
  world = await OidcWorld.open();
  world.provider.endsSessions = false;
  const browser = world.browser(await world.start());
  await world.signIn(browser);
  expect(await signOut(browser)).toBe("/sign-in?signed_out=here");
});

test("T86: a foreign page cannot sign a viewer out or add a token", async () => {
  world = await OidcWorld.open();
  const browser = world.browser(await world.start());
  await world.signIn(browser);
  const headers = { origin: "http://evil.example" };
  for (const [method, path] of [
    ["DELETE", "/api/session"],
    ["POST", "/api/session/renew"],
    ["POST", "/api/session/cluster-token"],
  ] as const)
    expect((await browser.fetch(`${ORIGIN}${path}`, { method, headers })).status).toBe(403);
  expect(await sessionOf(browser)).toMatchObject({ way: "provider" });
});

describe("T87: back-channel logout", () => {
  test("T87: the provider's own logout ends our session, its streams in all processes, and its cookie for good", async () => {
    world = await OidcWorld.open({ backchannel: true });
    const other = await world.start();
    const one = await world.start({ peers: [`http://${other.address}`] });
    world.web.backends = [one.address];
    const browser = world.browser(one);
    await world.signIn(browser);
    const cookie = browser.cookies(HOST);
    const tabs = [world.web.tab(one.address, cookie), world.web.tab(other.address, cookie)];
    await Promise.all(tabs.map((tab) => tab.until((now) => now.isComplete())));
    const ended = tabs.map((tab) => tab.ended.catch(() => undefined));
    const end = await browser.fetch(`${world.provider.issuer}/session/end`);
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(await end.text())?.[1] ?? "";
    await browser.fetch(`${world.provider.issuer}/session/end/confirm`, {
      method: "POST",
      body: new URLSearchParams({ xsrf, logout: "yes" }),
    });
    await Promise.all(ended);
    for (const { address } of [one, other]) expect(await world.web.wayAt(address, cookie)).toBeNull();
    await world.signIn(browser);
    expect(await sessionOf(browser)).toMatchObject({ way: "provider" });
  });

  test("T87: by subject it ends what was signed in before, and not what comes later", async () => {
    world = await OidcWorld.open();
    const web = await world.start();
    const browser = world.browser(web);
    await world.signIn(browser);
    const token = await world.provider.sign({ sub: "ann", jti: "1", events: LOGOUT_EVENT, iat: Math.floor(Date.now() / 1_000) });
    expect(await logoutStatus(web.address, token)).toBe(200);
    expect(await sessionOf(browser)).toMatchObject({ way: null });
  });

  test("T87: a token that is not the provider's, not for us, old, repeated or no logout token ends nothing", async () => {
    world = await OidcWorld.open();
    const web = await world.start();
    const browser = world.browser(web);
    const foreign = await OidcWorld.open();
    try {
      await world.signIn(browser);
      const good = { sub: "ann", events: LOGOUT_EVENT };
      const nowSeconds = Math.floor(Date.now() / 1_000);
      const { sign } = { sign: (claims: object) => world.provider.sign({ ...good, jti: "x", ...claims }) };
      const bad = [
        "",
        "x",
        await foreign.provider.sign({ ...good, jti: "x", iss: world.provider.issuer }),
        await sign({ aud: "another-client" }),
        await sign({ iss: "http://127.0.0.1:1" }),
        await sign({ iat: nowSeconds - 600 }),
        await sign({ nonce: "of-an-id-token" }),
        await sign({ events: {} }),
        await sign({ sub: undefined }),
        await sign({ jti: undefined }),
        `${Buffer.from('{"alg":"none"}').toString("base64url")}.${(await sign({})).split(".")[1]}.`,
      ];
      for (const token of bad) expect(await logoutStatus(web.address, token)).toBe(400);
      expect(await sessionOf(browser)).toMatchObject({ way: "provider" });
      const once = await sign({ jti: "once", sub: "bob" });
      expect([await logoutStatus(web.address, once), await logoutStatus(web.address, once)]).toEqual([200, 400]);
    } finally {
      await foreign.close();
    }
  });
});
