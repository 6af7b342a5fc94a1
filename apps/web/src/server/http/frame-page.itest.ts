import { request, type OutgoingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";

import { afterEach, expect, test } from "vitest";

import { RecordingWebServer, type RecordingOptions } from "./testing/recording-web-server.ts";

const PAGE = "/p/group/app/environments/production";
const LISTED: RecordingOptions = { frameAncestors: ["https://portal.example.com"] };

let web: RecordingWebServer | undefined;
afterEach(() => web?.stop());

/** What a browser gets that loads the address. */
async function load(path: string, options: RecordingOptions, headers: OutgoingHttpHeaders = {}) {
  web = await RecordingWebServer.start(options);
  const { port } = web;
  return new Promise<{ status: number | undefined; location: string | undefined; policy: string; body: string }>((resolve, reject) => {
    const asking = request({ port, path, headers: { accept: "text/html", "sec-fetch-dest": "iframe", ...headers } }, (answer) => {
      const { location, "content-security-policy": policy } = answer.headers;
      text(answer).then((body) => resolve({ status: answer.statusCode, location, policy: String(policy), body }), reject);
    });
    asking.on("error", reject).end();
  });
}

test("interop-3 finding 7: a frame without a session shows a page that opens in a new tab, not a sign-in that forbids to be framed", async () => {
  const { status, location, policy, body } = await load(PAGE, LISTED);
  expect([status, location]).toEqual([200, undefined]);
  expect(policy).toContain("frame-ancestors https://portal.example.com");
  expect(body).toContain(`<a href="${PAGE}" target="_blank" rel="noopener">Open in a new tab</a>`);
  expect(body).toContain("Browsers send no session to a frame of another site.");
});

test("its link has the prefix, and the requested path cannot leave the attribute", async () => {
  const options = { ...LISTED, externalUrl: "https://app.example.com/tools/binnacle" };
  const { body } = await load(`/tools/binnacle${PAGE}?q="><script>alert(1)</script>&x='`, options);
  expect(body).toContain(`<a href="/tools/binnacle${PAGE}?q=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;x='" target`);
  expect(body).not.toContain("<script>");
});

test.each([
  ["where no site may frame the dashboard", {}, {}],
  ["in a tab", LISTED, { "sec-fetch-dest": "document" }],
  ["of a browser that does not say", LISTED, { "sec-fetch-dest": "" }],
] as const)("a page without a session %s leads to the sign-in", async (_where, options, headers) => {
  expect(await load(PAGE, options as RecordingOptions, headers)).toMatchObject({
    status: 302,
    location: expect.stringContaining("sign_in"),
  });
});

test("a frame with a session shows the page", async () => {
  expect(await load(PAGE, LISTED, { cookie: "a=1" })).toMatchObject({ status: 200, body: "page" });
});
