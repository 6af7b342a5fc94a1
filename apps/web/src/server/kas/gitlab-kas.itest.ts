import { ByteBudget, type KubeTransport } from "@binnacle/environment-view";
import { describeKubeTransport } from "@binnacle/environment-view/kube-transport.conformance";
import type { Clock } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { afterEach, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { StandInMainApplication } from "../gitlab/testing/stand-in-main-application.ts";
import { isLetThroughNow } from "./way-behind-kas.ts";
import { KasOffers } from "./kas-offers.ts";
import { KasTransport } from "./kas-transport.ts";
import { StandInGitlabKas } from "./testing/stand-in-gitlab-kas.ts";
import { StandInKas } from "./testing/stand-in-kas.ts";

const NEVER = new AbortController().signal;
const VIEWS = { method: "POST", path: "/binnacle/v1/views", accept: "*/*", contentType: "application/protobuf", body: "x" } as const;
const LIST = { method: "GET", path: "/api/v1/namespaces/prod/pods", accept: "application/json" } as const;

/** A transport through GitLab's own kas, with a token that may use the agent. */
async function open(clock: Clock, authorization = "Bearer pat:3:glpat-maintainer") {
  const main = new StandInMainApplication();
  main.tokens.set("glpat-maintainer", "maintainer");
  const behind = new StandInKas(main);
  behind.allowed.add("maintainer");
  const kas = new StandInGitlabKas(behind);
  const url = await kas.listen();
  const dialer = new HttpDialer({ internalUrl: url, externalUrl: url, clock });
  const offers = new KasOffers(clock);
  const limits: [number, boolean][] = [];
  const transport = new KasTransport({
    dialer,
    clock,
    offers,
    reading: new ByteBudget(64 * 1024 * 1024),
    headers: () => Promise.resolve({ authorization }),
    configurationError: () => undefined,
    watchLimit: (...limit) => limits.push(limit),
  });
  let left: Promise<void> | undefined;
  const leave = (): Promise<void> => (left ??= kas.close());
  closing.push(async () => {
    await dialer.close();
    await leave();
  });
  return { kas, behind, url, dialer, transport, offers, limits, leave };
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

describeKubeTransport("through GitLab's own kas", async (serve, clock) => {
  const { behind, transport, leave } = await open(clock);
  behind.cluster = serve;
  return { transport, leave, close: leave };
});

async function statusOf(transport: KubeTransport, request: Parameters<KubeTransport["request"]>[0]): Promise<number> {
  const response = await transport.request(request, NEVER);
  response.close();
  return response.status;
}

test.each([404, 403] as const)(
  "an offer that the cluster answers with %i is probed once, also by ten at a time, and again after ten minutes",
  async (code) => {
    const clock = new ManualClock();
    const { kas, transport, offers } = await open(clock);
    kas.unknownPath = code;
    const ten = (): Promise<PromiseSettledResult<unknown>[]> =>
      Promise.allSettled(Array.from({ length: 10 }, () => statusOf(transport, VIEWS)));
    const first = await ten();
    expect(first.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const reasons = first.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(reasons).toEqual(
      Array.from({ length: 9 }, () => expect.objectContaining({ failure: "api", status: expect.objectContaining({ code: 404 }) })),
    );
    clock.advance(9 * 60_000);
    await ten();
    expect(kas.ourPaths).toEqual(["POST /binnacle/v1/views"]);
    expect(offers.isForeign).toBe(true);
    clock.advance(60_000);
    await ten();
    expect(kas.ourPaths).toHaveLength(2);
  },
);

test("each offer is known by itself", async () => {
  const { kas, transport } = await open(new ManualClock());
  const paths = ["/binnacle/v1/views/many", "/binnacle/v1/logs", "/binnacle/v1/gitops/syncs", "/-/services/prometheus/-/metrics"];
  for (const path of [...paths, ...paths]) await statusOf(transport, { ...VIEWS, path }).catch(() => undefined);
  expect(kas.ourPaths).toEqual(paths.map((path) => `POST ${path}`));
});

test("a probe that has no answer decides nothing, and the next request is the probe", async () => {
  const { kas, behind, transport, leave } = await open(new ManualClock());
  await leave();
  await expect(transport.request(VIEWS, NEVER)).rejects.toMatchObject({ failure: "kas_unreachable" });
  await expect(transport.request(VIEWS, NEVER)).rejects.toMatchObject({ failure: "kas_unreachable" });
  expect([kas.ourPaths, behind.requests]).toEqual([[], []]);
});

test("once the first answer has no header of ours, no request has one, and eight watches are assumed", async () => {
  const { kas, transport, limits } = await open(new ManualClock());
  await statusOf(transport, { ...LIST, purpose: "proof" });
  expect(kas.ourHeaders).toEqual([`kas-proof ${LIST.path}`]);
  await statusOf(transport, { ...LIST, purpose: "proof", answerWithinSeconds: 6 });
  await statusOf(transport, { ...LIST, path: `${LIST.path}?watch=1`, purpose: "watch" });
  expect(kas.ourHeaders).toHaveLength(1);
  expect(limits).toEqual([
    [8, true],
    [8, true],
    [8, true],
  ]);
});

test("a viewer is let through to an agent when the cluster answers, and not when kas does not accept the credential", async () => {
  const { transport } = await open(new ManualClock());
  expect(await isLetThroughNow({ kas: transport, isForeign: true }, NEVER)).toBe(true);
  const other = await open(new ManualClock(), "Bearer pat:3:glpat-unknown");
  expect(await isLetThroughNow({ kas: other.transport, isForeign: true }, NEVER)).toBe(false);
});

test("gRPC and paths outside the k8s-proxy have an answer of an HTTP server without them", async () => {
  const { url } = await open(new ManualClock());
  const { origin } = new URL(url);
  const grpc = await fetch(`${origin}/gitlab.agent.agent_tracker.rpc.AgentTracker/GetConnectedAgents`, {
    method: "POST",
    headers: { "content-type": "application/grpc" },
  });
  expect([grpc.status, (await fetch(`${origin}/kas.v1.KasApi/GetPods`)).status, (await fetch(`${origin}/other`)).status]).toEqual([
    415, 415, 404,
  ]);
});

test("T90: headers that a cluster forges through GitLab's kas switch nothing on, and bring no repeated probe of one agent", async () => {
  const { kas, transport, limits } = await open(new ManualClock());
  expect(await statusOf(transport, VIEWS)).toBe(404);
  kas.forged["kas-agent-watch-budget"] = "999999999;free=9";
  await statusOf(transport, LIST);
  // What was refused before is remembered, whatever is claimed now.
  await expect(transport.request(VIEWS, NEVER)).rejects.toMatchObject({ failure: "api", status: { code: 404 } });
  expect(kas.ourPaths).toHaveLength(1);
  // The budget is that of the agent whose cluster says so.
  expect(limits.at(-1)).toEqual([999_999_999, false]);
});
