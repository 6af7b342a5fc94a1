import { Secret } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { GitlabProxyTokens } from "./proxy-tokens.ts";
import { StandInMainApplication } from "./testing/stand-in-main-application.ts";

const ACCESS = new Secret("oauth-of-ann");
const FROM = { clientAddress: "192.0.2.7" };

let main: StandInMainApplication;
let dialer: HttpDialer;
let clock: ManualClock;
let tokens: GitlabProxyTokens;
beforeEach(async () => {
  main = new StandInMainApplication();
  main.tokens.set(ACCESS.reveal(), "ann");
  const internalUrl = await main.listen();
  dialer = new HttpDialer({ internalUrl, externalUrl: "http://gitlab.example.com" });
  clock = new ManualClock();
  tokens = new GitlabProxyTokens(dialer, clock);
});
afterEach(async () => {
  await dialer.close();
  await main.close();
});

test("a token of the single scope k8s_proxy is made as the viewer, for whom the request comes", async () => {
  const created = await tokens.create(ACCESS, FROM);
  expect(main.tokens.get(created?.token.reveal() ?? "")).toBe("ann");
  expect(main.proxyTokens.get(created?.id ?? "")).toMatchObject({ scopes: ["k8s_proxy"] });
  expect(main.clients).toEqual(new Set(["192.0.2.7"]));
});

test("it ends with the UTC day, and with the next one when less than an hour is left", async () => {
  const ends: string[] = [];
  for (const at of ["2026-03-04T13:00:00Z", "2026-03-04T22:59:59Z", "2026-03-04T23:00:00Z", "2026-03-04T23:59:59Z"]) {
    clock.advance(Date.parse(at) - clock.now());
    const created = await tokens.create(ACCESS, FROM);
    expect(String(main.proxyTokens.get(created?.id ?? "")?.expiresAt)).toBe(new Date(created?.endsAtMs ?? 0).toISOString().slice(0, 10));
    ends.push(new Date(created?.endsAtMs ?? 0).toISOString());
  }
  const [day, next] = ["2026-03-05T00:00:00.000Z", "2026-03-06T00:00:00.000Z"];
  expect(ends).toEqual([day, day, next, next]);
});

test("a refusal makes none; one in trouble, or that does not answer, is unavailable", async () => {
  for (const status of [400, 401, 403, 404]) {
    main.refusesProxyTokens = status;
    expect(await tokens.create(ACCESS, FROM)).toBeUndefined();
  }
  main.refusesProxyTokens = 503;
  await expect(tokens.create(ACCESS, FROM)).rejects.toMatchObject({ reason: "main_application_unavailable" });
  await main.close();
  await expect(tokens.create(ACCESS, FROM)).rejects.toMatchObject({ reason: "main_application_unavailable" });
  main = new StandInMainApplication();
  await main.listen();
});

test("it is revoked by its id; where that fails, nothing is thrown", async () => {
  const created = await tokens.create(ACCESS, FROM);
  await tokens.revoke(ACCESS, created?.id ?? "");
  expect(main.tokens.has(created?.token.reveal() ?? "")).toBe(false);
  await tokens.revoke(ACCESS, "unknown");
  await tokens.revoke(new Secret("unknown"), "1");
});
