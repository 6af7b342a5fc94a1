import { createServer, request, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { Dashboard } from "@binnacle/proto/dashboard";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../../testing/dashboard-world.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";

let world: DashboardWorld;
let server: Server;

beforeEach(async () => {
  world = await DashboardWorld.open();
  world.start();
  server = createServer((incoming, response) => void world.bff.rpc(incoming, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await world.close();
  server.closeAllConnections();
  server.close();
});

/** Headers of the answer to an empty request; they come before the first message. */
function headersOf(method: string, isStream: boolean): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    const asking = request(
      {
        // A TCP server has an address object once it listens.
        port: (server.address() as AddressInfo).port,
        method: "POST",
        path: `/api/rpc/${Dashboard.typeName}/${method}`,
        headers: {
          host: new URL(ORIGIN).host,
          origin: ORIGIN,
          cookie: "_gitlab_session=session-maintainer",
          "content-type": isStream ? "application/connect+json" : "application/json",
          "connect-protocol-version": "1",
        },
      },
      (answer) => {
        resolve(answer.headers);
        answer.destroy();
      },
    );
    asking.on("error", reject);
    // An envelope of Connect around an empty message.
    asking.end(isStream ? Buffer.concat([Buffer.from([0, 0, 0, 0, 2]), Buffer.from("{}")]) : "{}");
  });
}

const STREAMS = Dashboard.methods.filter(({ methodKind }) => methodKind === "server_streaming").map(({ name }) => name);
const QUESTIONS = Dashboard.methods.filter(({ methodKind }) => methodKind === "unary").map(({ name }) => name);

test("every method of the dashboard is a stream or a question", () => {
  expect(STREAMS.length).toBeGreaterThan(0);
  expect(STREAMS.length + QUESTIONS.length).toBe(Dashboard.methods.length);
});

test.each(STREAMS)("interop-3 finding 3: %s is streamed past proxies that buffer, and not changed by any", async (method) => {
  const headers = await headersOf(method, true);
  expect([headers["content-type"], headers["x-accel-buffering"], headers["cache-control"]]).toEqual([
    "application/connect+json",
    "no",
    "no-store, no-transform",
  ]);
});

test.each(QUESTIONS)("%s is no stream", async (method) => {
  expect((await headersOf(method, false))["x-accel-buffering"]).toBeUndefined();
});
