import { dialHttp2, GrpcClientStream, type GrpcStatus, type Metadata } from "@binnacle/grpc-wire";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import { ConnectionLimit } from "../limits/connection-limit.ts";
import { CredentialAdmission } from "../limits/credential-admission.ts";
import type { AgentAuthenticator } from "../main-application/agent-info.ts";
import { frameOf } from "../testing/fake-agent.ts";
import { testAuthenticator } from "../kas-routing/testing/kas-bench.ts";
import { agentOf, kasOf } from "../kas-routing/testing/kas-of.ts";
import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";

/** How a tunnel ended, and when kas wants to see the agent again. */
interface Refused {
  readonly status: GrpcStatus;
  readonly retryAfter: readonly string[] | undefined;
}

/** Opens a tunnel on a connection of its own, and says nothing on it or breaks the rules. */
async function tunnelTo(url: string, { token = "agent-1", breaking = false } = {}): Promise<Refused> {
  const session = await dialHttp2(url);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  return new Promise((resolve) => {
    const end = (status: GrpcStatus, trailer: Metadata): void => resolve({ status, retryAfter: trailer.get("retry-after") });
    const metadata = new Map([["authorization", [`Bearer ${token}`]]]);
    const stream = new GrpcClientStream({ session, path: CONNECT_PATH, metadata }, { message: () => undefined, end });
    if (breaking) stream.writeFrame(frameOf({ case: "trailer", value: { meta: {} } }));
    onTestFinished(() => stream.cancel());
  });
}

/** Checks every token in its turn, as kas does at the main application. */
function admitting(limits: { readonly perAddress?: number; readonly perSecond?: number } = {}): AgentAuthenticator {
  const failures = { perMinute: 6, burst: limits.perAddress ?? 1_000 };
  const admission = new CredentialAdmission({
    clock: systemClock,
    rate: { perSecond: limits.perSecond ?? 50, burst: 1 },
    failures: { perAddress: failures, inAll: failures },
  });
  return {
    authenticate: (authorization, signal, options) =>
      admission.ask({ lane: "agents", credential: ["agent", authorization ?? ""], address: options?.address, signal }, () =>
        testAuthenticator.authenticate(authorization, signal),
      ),
  };
}

test.each(["agentUrl", "webSocketUrl"] as const)("KB4: a client at the limit of its token gets a retry delay (%s)", async (way) => {
  const kas = await kasOf({ limit: new ConnectionLimit(systemClock, 1) });
  await agentOf(kas[way], { tunnels: 2 });
  await until(() => kas.registry.counts().idle === 2);
  const { status, retryAfter } = await tunnelTo(kas[way]);
  expect(status.code).toBe(8);
  expect(retryAfter).toEqual([expect.stringMatching(/^\d+$/)]);
  expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
  expect(Number(retryAfter)).toBeLessThanOrEqual(60);
});

test.each(["agentUrl", "webSocketUrl"] as const)("KB4: an address with too many invalid tokens gets a retry delay (%s)", async (way) => {
  const kas = await kasOf({ authenticator: admitting({ perAddress: 2 }) });
  const refused: Refused[] = [];
  for (let count = 0; count < 4; count += 1) refused.push(await tunnelTo(kas[way], { token: `bad-${count}` }));
  expect(refused.map(({ status }) => status.code)).toEqual([16, 16, 8, 8]);
  expect(refused.map(({ retryAfter }) => retryAfter === undefined)).toEqual([true, true, false, false]);
  expect(refused[3]?.status.message).toContain(`come back in ${refused[3]?.retryAfter?.[0]} s`);
});

test.each(["agentUrl", "webSocketUrl"] as const)(
  "KB4: a client that finds too long a queue gets the time of its turn (%s)",
  async (way) => {
    const kas = await kasOf({ authenticator: admitting({ perSecond: 0.1 }) });
    await agentOf(kas[way]);
    await until(() => kas.registry.counts().idle === 1);
    const refused = await Promise.all(["agent-2", "agent-3", "agent-4"].map((token) => tunnelTo(kas[way], { token })));
    for (const { status, retryAfter } of refused) {
      expect(status).toEqual({ code: 14, message: expect.stringContaining(`come back in ${retryAfter?.[0]} s`) });
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(10);
    }
    expect(new Set(refused.map(({ retryAfter }) => retryAfter?.[0])).size).toBe(3);
  },
);

test.each(["agentUrl", "webSocketUrl"] as const)("KB4, T15: an excluded agent gets the time of its exclusion (%s)", async (way) => {
  const kas = await kasOf();
  for (let count = 0; count < 10; count += 1) expect((await tunnelTo(kas[way], { breaking: true })).status.code).toBe(3);
  expect(await tunnelTo(kas[way])).toEqual({ status: expect.objectContaining({ code: 8 }), retryAfter: ["60"] });
});
