import { afterEach, beforeEach, expect, test } from "vitest";

import { ORIGIN } from "../config/testing/stand-in-config.ts";
import { RecordingWebServer } from "./testing/recording-web-server.ts";

let web: RecordingWebServer;
beforeEach(async () => void (web = await RecordingWebServer.start({ externalUrl: `${ORIGIN}/tools/binnacle` })));
afterEach(() => web.stop());

const get = (path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${web.port}${path}`, { redirect: "manual", headers: { accept: "text/html" } });

test("Next receives full paths, and calls are named as without a prefix", async () => {
  await get("/tools/binnacle/sign-in?x=1");
  await fetch(`http://127.0.0.1:${web.port}/tools/binnacle/api/rpc/v1.Service/Call`, { method: "POST" });
  await get("/tools/binnacle/api/session");
  expect(web.pageRequests.map(({ url }) => url)).toEqual(["/tools/binnacle/sign-in?x=1"]);
  expect(web.calls.map(({ path }) => path)).toEqual(["/api/rpc/v1.Service/Call"]);
  expect(web.sessions).toHaveLength(1);
});

test.each(["/", "/sign-in", "/p/a/environments", "/api/session", "/tools", "/tools/binnacle2/sign-in", "/_next/static/x.js"])(
  "%s is no address of ours",
  async (path) => {
    await get(path);
    expect(web.pageRequests.map(({ url }) => url)).toEqual(["/tools/binnacle/_not-found"]);
    expect([web.sessions, web.calls]).toEqual([[], []]);
  },
);

test("probes answer at the root of the host too: who asks knows no prefix", async () => {
  const paths = ["/healthz", "/readyz", "/tools/binnacle/healthz", "/tools/binnacle/readyz"];
  expect(await Promise.all(paths.map(async (path) => (await get(path)).status))).toEqual([200, 200, 200, 200]);
});

test("a viewer without a session goes to the sign-in, with the route to come back to", async () => {
  for (const [path, route] of [
    ["/tools/binnacle", "/"],
    ["/tools/binnacle?x=1", "/?x=1"],
    ["/tools/binnacle/p/a/environments", "/p/a/environments"],
  ] as const) {
    const answer = await get(path);
    expect([answer.status, answer.headers.get("location")]).toEqual([
      302,
      `http://app.localhost:8080/users/sign_in?return_to=${encodeURIComponent(route)}`,
    ]);
  }
});

test("the files of a build are compressed there too, pages are not", async () => {
  await get("/tools/binnacle/_next/static/x.js");
  await get("/tools/binnacle/sign-in");
  expect(web.pageRequests.map(({ headers }) => headers["accept-encoding"] !== undefined)).toEqual([true, false]);
});
