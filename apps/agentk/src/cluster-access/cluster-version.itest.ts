import { ManualClock, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ApiStandIn } from "../testing/api-stand-in.ts";
import { plainAccess } from "./testing/plain-access.ts";
import { ClusterClient } from "./cluster-client.ts";
import { readClusterVersion } from "./cluster-version.ts";

const VERSION = { major: "1", minor: "36", gitVersion: "v1.36.3", platform: "linux/amd64" };
let api: ApiStandIn;
let client: ClusterClient;

beforeEach(async () => {
  api = await ApiStandIn.listen();
  client = new ClusterClient(plainAccess(api.url));
});

afterEach(async () => {
  await client.close();
  await api.close();
});

test("is requested again when the API server rejected the first request as one too many", async () => {
  const clock = new ManualClock();
  api.answer = (_request, response) => {
    if (api.requests.length < 3) response.writeHead(429, { "retry-after": "1" }).end("{}");
    else response.end(JSON.stringify(VERSION));
  };
  const read = readClusterVersion(client, clock, new AbortController().signal);
  await clock.advanceUntil(() => api.requests.length === 3, 100);
  expect(await read).toEqual(VERSION);
});

test.each([
  [500, "{}"],
  [429, "{}"],
  [200, "no version"],
  [200, JSON.stringify({ gitVersion: "x".repeat(100_000) })],
])("is unknown when a %d says nothing of it", async (code, text) => {
  api.answer = (_request, response) => void response.writeHead(code).end(text);
  expect(await readClusterVersion(client, new ManualClock(), new AbortController().signal)).toBeUndefined();
  expect(api.requests).toHaveLength(1);
});

test("is unknown when it does not arrive in time, and is not requested again after that", async () => {
  const clock = new ManualClock();
  api.answer = (_request, response) => void response.writeHead(429, { "retry-after": "30" }).end("{}");
  const late = new AbortController();
  const read = readClusterVersion(client, clock, late.signal);
  await until(() => clock.pending > 0);
  late.abort();
  expect(await read).toBeUndefined();
  expect([api.requests.length, clock.pending]).toEqual([1, 0]);
});
