import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { json } from "node:stream/consumers";

import { parseTrustedProxies } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { LocalConfigurationErrors } from "../../agent-configuration/configuration-errors.ts";
import { ProxyAuthorizer } from "../../main-application/proxy-authorizer.ts";
import { startMainApplication, type FakeMainApplication } from "../../main-application/testing/fake-main-application.ts";
import { ScriptedRouter } from "../../agent-call/testing/scripted-router.ts";
import { KubernetesApiListener } from "./kubernetes-api-listener.ts";
import { CallerAccess } from "../access/caller-access.ts";
import { KubernetesProxy } from "../proxy/kubernetes-proxy.ts";

const ORIGIN = "https://app.example";
const USER = { agent: { id: 7, config_project: { id: 3 } }, user: { id: 1, username: "ann" }, access_as: { agent: {} } };

/** It stands still: no tokens are refilled, however long a storm takes. */
let clock: ManualClock;
let main: FakeMainApplication;
let listener: KubernetesApiListener;

beforeEach(async () => {
  clock = new ManualClock();
  main = await startMainApplication();
  main.answer = ({ body }) => (body.includes('"good') ? { status: 200, body: USER } : { status: 401 });
  listener = await listen(["127.0.0.0/8"]);
});
afterEach(async () => {
  await listener.close();
  await main.close();
});

/** A k8s-proxy that answers authorized requests with 204. */
async function listen(trusted: readonly string[]): Promise<KubernetesApiListener> {
  const settings = {
    router: new ScriptedRouter(),
    // Nothing is kept, so that every request is a question.
    authorizer: new ProxyAuthorizer(main.client({ clock, burst: 400 }), clock, {
      users: { okMs: 0, refusedMs: 0 },
      jobs: { okMs: 0, refusedMs: 0 },
    }),
    errors: new LocalConfigurationErrors(clock, 60_000),
    clock,
    log: createLogger("test", "silent"),
    pathPrefix: "/",
    allowedOrigin: ORIGIN,
    waitMs: 1_000,
    serverName: "gitlab-kas/test",
    onAnswer: () => undefined,
    trustedProxies: parseTrustedProxies(trusted),
  };
  const callers = new CallerAccess(settings);
  const proxy = new KubernetesProxy({ ...settings, callers });
  return KubernetesApiListener.open({
    listen: { host: "127.0.0.1", port: 0 },
    proxy,
    clock,
    graceMs: 10,
    upgrade: () => false,
    // What it answers besides does not matter here: a request that is authorised gets a 204.
    intercept: (request, response) => {
      void callers.handle(request, response, async (exchange) => {
        const target = { path: "/", query: new URLSearchParams(), agentIds: [], csrfTokens: [] };
        await callers.access(exchange, target, { verb: "get" });
        response.writeHead(204).end();
      });
      return true;
    },
  });
}

function ask(
  token: string,
  from: string,
): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: unknown }> {
  const [host, port] = listener.address.split(":");
  const headers = { authorization: `Bearer pat:7:${token}`, "x-forwarded-for": `203.0.113.1, ${from}` };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, path: "/", headers, agent: false }, (answer) => {
      const status = answer.statusCode ?? 0;
      void (status === 204 ? Promise.resolve(answer.resume()) : json(answer)).then((body) =>
        resolve({ status, headers: answer.headers, body }),
      );
    });
    sent.on("error", reject);
    sent.end();
  });
}

/** What comes of it, while time goes on. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.finally(() => (isOver = true));
  await clock.advanceUntil(() => isOver);
  return work;
}

/** Two hundred made-up tokens, twenty at a time, each forwarded for an address of its own. @returns the answers */
async function storm(from: (index: number) => string): Promise<number[]> {
  const statuses: number[] = [];
  for (let first = 0; first < 200; first += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => ask(`bad-${first + index}`, from(first + index))));
    statuses.push(...answers.map(({ status }) => status));
  }
  return statuses;
}

test("XB2, T14: an address that shows made-up tokens receives 429 with a retry time; known users there and new ones elsewhere are served, new ones there wait", async () => {
  expect((await ask("good-known", "192.0.2.1")).status).toBe(204);
  const statuses = await inTime(storm(() => "192.0.2.1"));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  // One more in two seconds, for which the storm waits five seconds at a time.
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(120);
  const crowd = Array.from({ length: 34 }, (_, index) => ask(`bad-new-${index}`, "192.0.2.1"));
  const [refused] = (await inTime(Promise.all(crowd))).filter(({ status }) => status === 429);
  expect(refused).toMatchObject({ status: 429, body: { kind: "Status", details: { causes: [{ reason: "rate_limited" }] } } });
  expect(Number(refused?.headers["retry-after"])).toBeGreaterThanOrEqual(1);
  expect((await ask("good-known", "192.0.2.1")).status).toBe(204);
  expect((await ask("good-new", "192.0.2.2")).status).toBe(204);
  expect((await inTime(ask("good-there", "192.0.2.1"))).status).toBe(204);
});

test("XB2, T14: a client that is no listed proxy cannot set other addresses for itself", async () => {
  await listener.close();
  listener = await listen(["198.51.100.0/24"]);
  const statuses = await inTime(storm((index) => `192.0.2.${index}`));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(120);
});

test("XB2: the address that a listed dashboard forwards is the client, separate for each user", async () => {
  // All of them together exceed the burst of calls to the main application: some wait for their turn.
  const answers = await inTime(storm((index) => `192.0.2.${index}`));
  expect(new Set(answers)).toEqual(new Set([401]));
  expect((await ask("good-new", "192.0.2.250")).status).toBe(204);
});
