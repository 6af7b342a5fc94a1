import { ByteBudget, type KubeRequest } from "@binnacle/environment-view";
import { describeKubeTransport } from "@binnacle/environment-view/kube-transport.conformance";
import { createStatus } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { KasTransport } from "./kas-transport.ts";
import { StandInKas } from "./testing/stand-in-kas.ts";
import { StandInMainApplication } from "../gitlab/testing/stand-in-main-application.ts";

const NEVER = new AbortController().signal;
const TOKEN = "pat:3:glpat-maintainer";
const PATCH: KubeRequest = { method: "PATCH", path: "/api/v1/namespaces/prod/pods/a", accept: "application/json", body: "{}" };

/** A transport through a kas with one token that may use the agent; `authorizations` are those it gives, each once, the last for ever. */
async function open(clock: Clock, authorizations: readonly string[] = [`Bearer ${TOKEN}`]) {
  const main = new StandInMainApplication();
  main.tokens.set("glpat-maintainer", "maintainer");
  const kas = new StandInKas(main);
  kas.allowed.add("maintainer");
  const url = await kas.listen();
  const dialer = new HttpDialer({ internalUrl: url, externalUrl: url, clock });
  const renewals: boolean[] = [];
  const transport = new KasTransport({
    dialer,
    clock,
    reading: new ByteBudget(64 * 1024 * 1024),
    headers: ({ renew }) => {
      renewals.push(renew);
      const authorization = authorizations[renew ? 1 : 0] ?? authorizations[0];
      return Promise.resolve(authorization === undefined ? undefined : { authorization });
    },
    configurationError: () => undefined,
    watchLimit: () => undefined,
  });
  return { kas, dialer, transport, renewals };
}

describeKubeTransport("through kas", async (serve, clock) => {
  const { kas, dialer, transport } = await open(clock);
  kas.cluster = serve;
  let left: Promise<void> | undefined;
  const leave = (): Promise<void> => (left ??= kas.close());
  return { transport, leave, close: async () => (await dialer.close(), await leave()) };
});

describe("a kas that refuses", () => {
  let world: Awaited<ReturnType<typeof open>>;
  const clock = new ManualClock();
  const arrived: string[] = [];
  beforeEach(async () => {
    world = await open(clock, ["Bearer pat:3:old", `Bearer ${TOKEN}`]);
    arrived.length = 0;
  });
  afterEach(async () => {
    await world.dialer.close();
    await world.kas.close();
  });

  test("a question goes again with a renewed credential, and a proof too", async () => {
    world.kas.cluster = (request, response) => {
      arrived.push(`${request.method} ${request.url}`);
      request.resume();
      response.end("{}");
    };
    const review = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    await world.transport.request({ method: "GET", path: "/api", accept: "*/*" }, NEVER);
    await world.transport.request({ ...PATCH, method: "POST", path: review, purpose: "proof" }, NEVER);
    expect(arrived).toEqual(["GET /api", `POST ${review}`]);
    expect(world.renewals).toEqual([false, true, false, true]);
  });

  test("T23: a change is sent once, with the credential renewed for the next one", async () => {
    await expect(world.transport.request(PATCH, NEVER)).rejects.toMatchObject({ failure: "unauthorized", stage: "not_started" });
    expect(world.kas.requests).toEqual([`nobody PATCH ${PATCH.path}`]);
    expect(world.renewals).toEqual([false, true]);
  });

  test("T23: a change whose rights were withdrawn while it ran may have been made", async () => {
    const { kas, transport } = await open(clock);
    kas.cluster = (request, response) => {
      request.resume();
      clock.advance(30_000);
      response.writeHead(401, { "gitlab-unauthorized": "true" }).end(JSON.stringify(createStatus(401, "Unauthorized")));
    };
    await expect(transport.request(PATCH, NEVER)).rejects.toMatchObject({ failure: "unauthorized", stage: "started" });
    expect(kas.requests).toHaveLength(1);
    await kas.close();
  });
});

const BROKEN = { details: { causes: [{ reason: "tunnel_broken" }], stage: "started" } };
const OFFLINE = { details: { causes: [{ reason: "agent_not_connected" }] } };

test.each([
  { code: 502, details: BROKEN, ofKas: true, failure: "connection", stage: "started" },
  { code: 502, details: {}, ofKas: false, failure: "connection", stage: "started" },
  { code: 503, details: OFFLINE, ofKas: true, failure: "agent_offline", stage: "not_started" },
  { code: 504, details: {}, ofKas: true, failure: "busy", stage: "not_started" },
  { code: 403, details: {}, ofKas: true, failure: "api", stage: "not_started" },
])("a $code, of kas: $ofKas, says $failure and $stage", async ({ code, details, ofKas, failure, stage }) => {
  const { kas, dialer, transport } = await open(new ManualClock());
  kas.cluster = (request, response) => {
    request.resume();
    response.writeHead(code, ofKas ? { "kas-refusal": "1" } : {}).end(JSON.stringify(createStatus(code, "no", details)));
  };
  await expect(transport.request(PATCH, NEVER)).rejects.toMatchObject({ failure, stage });
  expect(kas.requests).toHaveLength(1);
  await dialer.close();
  await kas.close();
});

test.each([
  { reason: "cluster_silent", within: 6, failure: "api_down" },
  { reason: "agent_silent", within: 6, failure: "agent_offline" },
  // 70 s without an answer, and kas has not looked whose silence it is.
  { reason: "agent_silent", within: undefined, failure: "busy" },
])("US6: 504 $reason within $within s says $failure", async ({ reason, within, failure }) => {
  const { kas, dialer, transport } = await open(new ManualClock());
  let mark: unknown;
  kas.cluster = (request, response) => {
    mark = request.headers["kas-answer-within"];
    const details = { causes: [{ reason, message: "" }], stage: "started" };
    response.writeHead(504, { "kas-refusal": reason }).end(JSON.stringify(createStatus(504, "no", { details })));
  };
  const question: KubeRequest = {
    method: "GET",
    path: "/api",
    accept: "*/*",
    ...(within === undefined ? {} : { answerWithinSeconds: within }),
  };
  const answer = transport.request(question, NEVER);
  await expect(answer).rejects.toMatchObject({ failure, stage: "started" });
  expect(mark).toBe(within === undefined ? undefined : String(within));
  await dialer.close();
  await kas.close();
});

test("what the API server refuses is an answer, whatever its code and the case of its headers", async () => {
  const { kas, dialer, transport } = await open(new ManualClock());
  for (const code of [403, 409, 422, 500, 503, 504]) {
    kas.cluster = (request, response) => {
      request.resume();
      response.writeHead(code, { "retry-after": "1" }).end("{}");
    };
    const answer = await transport.request(PATCH, NEVER);
    expect([answer.status, answer.header("Retry-After")]).toEqual([code, "1"]);
    answer.close();
  }
  await dialer.close();
  await kas.close();
});
