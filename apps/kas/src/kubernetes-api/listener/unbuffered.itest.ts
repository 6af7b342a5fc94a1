import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { PAT, PREFIX, ProxyUnderTest } from "./testing/proxy-under-test.ts";

/** What the cluster says of what may be kept. */
const CLUSTER = "no-cache, private";
const PODS = "api/v1/namespaces/shop/pods";
const SERVICE = "-/services/prometheus";

let proxy: ProxyUnderTest;
beforeEach(async () => {
  proxy = await ProxyUnderTest.start();
});
afterEach(() => proxy.stop());

/** Headers of an answer that has no end yet, unless it has a length. */
async function headersOf(path: string, header: Readonly<Record<string, readonly string[]>> = {}) {
  proxy.router.onRequest = (call) => {
    call.respond(200, { "Content-Type": ["application/json"], "Cache-Control": [CLUSTER], ...header });
    if (header["Content-Length"] === undefined) return;
    call.data("{}");
    call.finish();
  };
  const answer = await proxy.send(`${PREFIX}${path}`, { headers: PAT });
  answer.body.destroy();
  return { buffering: answer.headers["x-accel-buffering"], cache: answer.headers["cache-control"] };
}

/** Views, the only stream of our own here, are in views-endpoint.itest.ts. */
describe("interop-3 finding 3: proxies do not collect what is streamed, and what the cluster says of caches stays", () => {
  test.each([
    `${PODS}?watch=true`,
    `${PODS}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    "apis/apps/v1/deployments?watch",
    `api/v1/watch/namespaces/shop/pods`,
    `${PODS}/web-1/log?follow=true`,
    `${SERVICE}/api/v1/tail`,
  ])("%s", async (path) => expect(await headersOf(path)).toEqual({ buffering: "no", cache: CLUSTER }));

  test.each([PODS, `${PODS}?watch=false`, `${PODS}/web-1/log`, "version"])("%s is no stream", async (path) =>
    expect(await headersOf(path)).toEqual({ buffering: undefined, cache: CLUSTER }),
  );

  test.each([`${PODS}?watch=true`, `${SERVICE}/api/v1/query`])("%s with a length is none either", async (path) =>
    expect(await headersOf(path, { "Content-Length": ["2"] })).toEqual({ buffering: undefined, cache: CLUSTER }),
  );
});
