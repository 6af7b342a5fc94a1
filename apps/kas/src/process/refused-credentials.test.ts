import { Fault, type FaultReason } from "@binnacle/rpc";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { createKasMetrics } from "./metrics.ts";
import { RefusedCredentials, type CredentialKind } from "../main-application/refused-credentials.ts";

function world() {
  const clock = new ManualClock();
  const lines: Record<string, unknown>[] = [];
  const metrics = createKasMetrics({ version: "1", gitRef: "a" });
  const refusals = new RefusedCredentials({
    clock,
    log: { info: (fields: Record<string, unknown>) => void lines.push(fields) },
    count: (kind, reason) => metrics.refusedCredential(kind, reason),
  });
  const refuse = (kind: CredentialKind, reason: FaultReason, address?: string): Promise<unknown> =>
    refusals.watch({ kind, address }, () => Promise.reject(new Fault(reason, "no"))).catch((error: unknown) => error);
  return { clock, lines, metrics, refusals, refuse };
}

test("XM13: each refused credential is counted by kind and reason", async () => {
  const { metrics, refuse } = world();
  for (let index = 0; index < 3; index += 1) await refuse("agent_token", "token_unknown", `192.0.2.${index}`);
  await refuse("session_cookie", "agent_forbidden");
  const text = await metrics.registry.metrics();
  expect(text).toContain('kas_refused_credentials_total{kind="agent_token",reason="token_unknown"} 3');
  expect(text).toContain('kas_refused_credentials_total{kind="session_cookie",reason="agent_forbidden"} 1');
});

test("XM13: the first of each kind, reason and address in a minute is a log line, the next one says how many there were", async () => {
  const { clock, lines, refuse } = world();
  for (let index = 0; index < 1_000; index += 1) await refuse("agent_token", "token_unknown", "192.0.2.1");
  await refuse("agent_token", "token_unknown", "192.0.2.2");
  expect(lines.map(({ client_address, count }) => [client_address, count])).toEqual([
    ["192.0.2.1", 1],
    ["192.0.2.2", 1],
  ]);
  clock.advance(60_000);
  await refuse("agent_token", "token_unknown", "192.0.2.1");
  expect(lines.at(-1)).toEqual({ credential_kind: "agent_token", reason: "token_unknown", client_address: "192.0.2.1", count: 1_000 });
});

test("XM13, T14: a storm from 5,000 addresses is a hundred lines a minute", async () => {
  const { lines, refuse } = world();
  for (let index = 0; index < 5_000; index += 1)
    await refuse("personal_access_token", "token_unknown", `10.0.${index >> 8}.${index & 255}`);
  expect(lines).toHaveLength(100);
});

test("a cancelled call is not counted as refused, and its error is rethrown", async () => {
  const { lines, refusals, refuse } = world();
  expect(await refuse("job_token", "cancelled")).toMatchObject({ reason: "cancelled" });
  expect(await refusals.watch({ kind: "job_token" }, () => Promise.resolve("ok"))).toBe("ok");
  expect(lines).toHaveLength(0);
});
