import { HurriedClock } from "@binnacle/testing";
import { decodeJwt } from "jose";
import { afterEach, describe, expect, test, vi } from "vitest";

import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { HOST, OidcWorld, post, sessionOf } from "../../testing/oidc-world.ts";

const PAGE = "/p/group/app/environments";
const HOUR_MS = 3_600_000;
/** Tokens of an hour are renewed two minutes before their end. */
const DUE_MS = HOUR_MS - 120_000 + 1_000;

let world: OidcWorld;
afterEach(async () => {
  vi.useRealTimers();
  await world.close();
});

test("a page learns when to renew; before that no request goes to the provider, then the cookie is replaced", async () => {
  world = await OidcWorld.open();
  const clock = new HurriedClock();
  const browser = world.browser(await world.start({ clock }));
  await world.signIn(browser);
  const { renewInSeconds } = await sessionOf(browser);
  expect(renewInSeconds).toBeGreaterThan(3_400);
  expect(renewInSeconds).toBeLessThanOrEqual(3_480);
  const first = browser.cookies(HOST);
  expect((await post(browser, "/api/session/renew")).status).toBe(200);
  expect(world.provider.grants).toEqual(["authorization_code"]);
  clock.skip(DUE_MS);
  expect(await sessionOf(browser)).toMatchObject({ renewInSeconds: 0 });
  const answer = await post(browser, "/api/session/renew");
  expect([answer.status, await answer.json()]).toMatchObject([200, { renewInSeconds }]);
  expect(world.provider.grants).toEqual(["authorization_code", "refresh_token"]);
  expect(browser.cookies(HOST)).not.toBe(first);
});

test("the name of the session stays, so that its pages find each other, and its end stays too", async () => {
  world = await OidcWorld.open();
  const clock = new HurriedClock();
  const web = await world.start({ clock });
  const browser = world.browser(web);
  await world.signIn(browser);
  const before = await web.bff.sessionName(browser.cookies(HOST));
  clock.skip(DUE_MS);
  await post(browser, "/api/session/renew");
  expect(await web.bff.sessionName(browser.cookies(HOST))).toBe(before);
  clock.skip(12 * HOUR_MS - DUE_MS);
  expect(await sessionOf(browser)).toMatchObject({ way: null });
});

describe("T84: refresh tokens are used once", () => {
  test("T84: ten tabs that ask at once use one, and all get the same tokens", async () => {
    world = await OidcWorld.open();
    const clock = new HurriedClock();
    const browser = world.browser(await world.start({ clock }));
    await world.signIn(browser);
    clock.skip(DUE_MS);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(browser, "/api/session/renew")));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(world.provider.grants.filter((grant) => grant === "refresh_token")).toHaveLength(1);
  });

  test("T84: at a process that has the old cookie the page tries the newest one of its browser once, and stays signed in", async () => {
    world = await OidcWorld.open();
    const clock = new HurriedClock();
    const [one, other] = [await world.start({ clock }), await world.start({ clock })];
    const browser = world.browser(one);
    await world.signIn(browser);
    const stale = world.browser(other);
    stale.setCookies(HOST, browser.cookies(HOST));
    clock.skip(DUE_MS);
    expect((await post(browser, "/api/session/renew")).status).toBe(200);
    expect((await post(stale, "/api/session/renew")).status).toBe(409);
    stale.setCookies(HOST, browser.cookies(HOST));
    expect((await post(stale, "/api/session/renew", { again: true })).status).toBe(200);
    expect(await sessionOf(stale)).toMatchObject({ way: "provider" });
  });

  test("T84: with no newer cookie a second try ends the session, and the next sign-in keeps the address", async () => {
    world = await OidcWorld.open();
    const clock = new HurriedClock();
    const [one, other] = [await world.start({ clock }), await world.start({ clock })];
    const browser = world.browser(one);
    await world.signIn(browser);
    const stale = world.browser(other);
    stale.setCookies(HOST, browser.cookies(HOST));
    clock.skip(HOUR_MS + 1_000);
    expect((await post(browser, "/api/session/renew")).status).toBe(200);
    const { url, answer } = await stale.open(`${ORIGIN}${PAGE}?q=1`);
    expect([url, answer?.status]).toEqual([`${ORIGIN}${PAGE}?q=1`, 200]);
    expect(stale.visited.filter((visit) => visit.includes("/api/session/renew"))).toHaveLength(2);
    expect(stale.visited.some((visit) => visit.includes("/auth?"))).toBe(true);
    expect(await sessionOf(stale)).toMatchObject({ way: "provider" });
  });

  test("T84: renewed tokens of another subject are refused", async () => {
    world = await OidcWorld.open();
    const clock = new HurriedClock();
    const browser = world.browser(await world.start({ clock }));
    await world.signIn(browser);
    clock.skip(DUE_MS);
    world.provider.tamper = async (answer, sign) => {
      answer.id_token = await sign({ sub: "eve", exp: Math.floor(Date.now() / 1_000) + 3_600 });
    };
    expect((await post(browser, "/api/session/renew")).status).toBe(409);
    expect((await post(browser, "/api/session/renew", { again: true })).status).toBe(401);
  });
});

test("a page that is requested after its tokens have ended renews them on the way, without the provider's pages", async () => {
  world = await OidcWorld.open();
  const clock = new HurriedClock();
  const browser = world.browser(await world.start({ clock }));
  await world.signIn(browser);
  clock.skip(HOUR_MS + 1_000);
  browser.visited.length = 0;
  const { url, answer } = await browser.open(`${ORIGIN}${PAGE}`);
  expect([url, answer?.status]).toEqual([`${ORIGIN}${PAGE}`, 200]);
  expect(browser.visited).toEqual([
    `GET ${ORIGIN}${PAGE}`,
    `GET ${ORIGIN}/api/session/renew?return_to=${encodeURIComponent(PAGE)}`,
    `GET ${ORIGIN}${PAGE}`,
  ]);
});

describe("a stream outlives the tokens that it began with", () => {
  test("renewed at another process, it goes on where it is", async () => {
    world = await OidcWorld.open();
    const clock = new HurriedClock();
    const one = await world.start({ clock });
    const other = await world.start({ clock, peers: [`http://${one.address}`] });
    const browser = world.browser(one);
    await world.signIn(browser);
    const tab = world.web.tab(one.address, browser.cookies(HOST));
    await tab.until((now) => now.isComplete());
    const elsewhere = world.browser(other);
    elsewhere.setCookies(HOST, browser.cookies(HOST));
    clock.skip(DUE_MS);
    expect((await post(elsewhere, "/api/session/renew")).status).toBe(200);
    // The old cookie is answered with the newest tokens as soon as the notice has come.
    while ((await sessionOf(browser))["renewInSeconds"] === 0) await (await post(elsewhere, "/api/session/renew")).body?.cancel();
    clock.skip(121_000);
    world.web.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "second" } });
    await tab.until((now) => now.named("second") !== undefined);
    expect(tab.problem).toBeUndefined();
  });

  test("not renewed, a call within a minute hears that the sign-in is being renewed, and after it that the session has ended", async () => {
    world = await OidcWorld.open();
    const clock = new HurriedClock();
    const web = await world.start({ clock });
    const browser = world.browser(web);
    await world.signIn(browser);
    const client = world.web.client(web.address, browser.cookies(HOST));
    clock.skip(HOUR_MS + 10_000);
    await expect(client.listProjects({})).rejects.toThrow(/being renewed/);
    clock.skip(60_000);
    await expect(client.listProjects({})).rejects.toThrow(/session/i);
  });
});

test("T85: the provider replaces its keys: the next sign-in goes on, and a token of the key before is refused", async () => {
  world = await OidcWorld.open();
  const web = await world.start();
  await world.signIn(world.browser(web));
  await world.provider.useKey("second");
  // jose reads keys once in 30 s at most.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 31_000 });
  const browser = world.browser(web);
  expect(await world.signIn(browser)).toBe(PAGE);
  expect(await sessionOf(browser)).toMatchObject({ way: "provider" });
  world.provider.tamper = async (answer, sign) => {
    const { nonce, exp, sub } = decodeJwt(answer.id_token ?? "");
    answer.id_token = await sign({ nonce, exp: exp ?? 0, sub: sub ?? "" }, { kid: "first" });
  };
  expect(await world.signIn(world.browser(web))).toContain("problem=refused");
});
