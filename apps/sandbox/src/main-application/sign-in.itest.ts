import { afterAll, beforeAll, expect, test } from "vitest";

import { FixtureBrowser, startApplicationFixture, type ApplicationFixture } from "./application.fixture.ts";

let fixture: ApplicationFixture;
beforeAll(async () => {
  fixture = await startApplicationFixture([new Date("2026-01-02T03:04:05Z")]);
});
afterAll(() => fixture.close());

test("a page of a project sends a stranger to the sign-in and back", async () => {
  const browser = new FixtureBrowser(fixture.url);
  const refused = await browser.fetch("/group/app");
  expect([refused.status, refused.headers.get("location")]).toEqual([302, "/users/sign_in?return_to=%2Fgroup%2Fapp"]);
  const signedIn = await browser.signIn("developer", { returnTo: "/group/app" });
  expect([signedIn.status, signedIn.headers.get("location")]).toEqual([302, "/group/app"]);
  expect(await (await browser.fetch("/group/app")).text()).toContain("@developer");
});

test("signing in changes the session's id", async () => {
  const browser = new FixtureBrowser(fixture.url);
  await browser.fetch("/users/sign_in");
  const before = browser.cookies.get("_gitlab_session");
  await browser.signIn("developer");
  expect(browser.cookies.get("_gitlab_session")).not.toBe(before);
  expect(fixture.app.sessions.find(before)).toBeUndefined();
});

test("an answer after a sign-in to a request before it does not replace the new session's cookie", async () => {
  const browser = new FixtureBrowser(fixture.url);
  await browser.fetch("/users/sign_in");
  const early = ["/users/sign_in", "/help/troubleshooting", "/favicon.ico"].map((path) => {
    const headers = { cookie: `_gitlab_session=${browser.cookies.get("_gitlab_session")}` };
    return fetch(`${fixture.url}${path}`, { headers, redirect: "manual" });
  });
  expect((await Promise.all(early)).map(({ headers }) => headers.getSetCookie())).toEqual([[], [], []]);
  await browser.signIn("developer");
  // A browser asks for the icon of the first page whenever it finds the time.
  const late = await fetch(`${fixture.url}/favicon.ico`, { redirect: "manual" });
  expect([late.status, late.headers.getSetCookie()]).toEqual([204, []]);
});

test("a wrong password, and a form without its CSRF token, are answered 422", async () => {
  const browser = new FixtureBrowser(fixture.url);
  expect((await browser.signIn("developer", { password: "wrong" })).status).toBe(422);
  const form = new URLSearchParams({ "user[login]": "developer", "user[password]": "developer-password" });
  expect((await browser.fetch("/users/sign_in", { method: "POST", body: form })).status).toBe(422);
  expect((await browser.fetch("/group/app")).status).toBe(302);
});

test("a sign-in returns to the dashboard but to no foreign address", async () => {
  const dashboard = await new FixtureBrowser(fixture.url).signIn("developer", {
    returnTo: "http://127.0.0.1:3000/p/group/app/environments",
  });
  expect(dashboard.headers.get("location")).toBe("http://127.0.0.1:3000/p/group/app/environments");
  for (const returnTo of ["http://evil.example/", "//evil.example/", "http://u:p@127.0.0.1:3000/", "javascript:alert(1)"]) {
    const answer = await new FixtureBrowser(fixture.url).signIn("developer", { returnTo });
    expect(answer.headers.get("location")).toBe("/");
  }
});

test("only an environment's pages set the cookie for kas", async () => {
  const browser = new FixtureBrowser(fixture.url);
  await browser.signIn("developer");
  for (const path of ["/group/app", "/group/app/-/environments"]) {
    expect((await browser.fetch(path)).status).toBe(200);
    expect(browser.cookies.has("_gitlab_kas")).toBe(false);
  }
  for (const path of [
    "/group/app/-/environments/1",
    "/group/app/-/environments/1/edit",
    "/group/app/-/environments/1/k8s",
    "/group/app/-/environments/new",
  ]) {
    browser.cookies.delete("_gitlab_kas");
    const page = await browser.fetch(path);
    expect(page.headers.getSetCookie().find((text) => text.startsWith("_gitlab_kas="))).toMatch(
      /; Path=\/k8s-proxy\/; Max-Age=86400; HttpOnly; SameSite=Lax$/,
    );
    expect(browser.cookies.has("_gitlab_kas")).toBe(true);
  }
  expect((await browser.fetch("/group/app/-/environments/2")).status).toBe(404);
});

test("signing out ends the session and needs the CSRF token", async () => {
  const browser = new FixtureBrowser(fixture.url);
  await browser.signIn("developer");
  const token = await browser.csrfToken("/group/app");
  expect((await browser.fetch("/users/sign_out", { method: "POST" })).status).toBe(422);
  expect((await browser.fetch("/group/app")).status).toBe(200);
  expect((await browser.fetch("/users/sign_out", { method: "POST", headers: { "x-csrf-token": token } })).status).toBe(302);
  expect((await browser.fetch("/group/app")).status).toBe(302);
});
