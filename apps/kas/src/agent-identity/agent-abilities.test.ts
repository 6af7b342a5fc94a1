import type { ServerHttp2Session } from "node:http2";

import { describe, expect, test } from "vitest";

import { assumedUserAgent, RECORDED_USER_AGENT } from "../testing/user-agents.ts";
import { ABILITIES, abilitiesOf, hasAbility, type AgentAbility } from "./agent-abilities.ts";
import { parseVersion, versionOfUserAgent } from "./agent-version.ts";
import { SessionVersions } from "./session-versions.ts";

const OURS = { "agentk-caps": "raw-target, impersonation", "user-agent": assumedUserAgent("v0.1.0", "agentk") };

test.each([
  [assumedUserAgent("v14.1.0", "agentk"), [14, 1]],
  [assumedUserAgent("14.10.3", "agentk"), [14, 10]],
  [assumedUserAgent("v17.0.0-rc1"), [17, 0]],
  [assumedUserAgent("v18.2.1", "gitlab-agent-agentk"), [18, 2]],
  [assumedUserAgent("v18"), undefined],
  [assumedUserAgent("master"), undefined],
  [`x${assumedUserAgent("v16.5.0")}`, undefined],
  ["gitlab-agent-other/v16.5.0", undefined],
  ["curl/8.1", undefined],
  ["", undefined],
  [undefined, undefined],
])("the user agent %s names the version %j", (userAgent, version) => {
  expect(versionOfUserAgent(userAgent)).toEqual(version);
});

test.each([
  ["v16.5.0", [16, 5]],
  ["16.5", [16, 5]],
  ["v16", undefined],
  ["v16.5000000", undefined],
  ["", undefined],
  ["version 16.5", undefined],
])("the version %j of AgentMeta is read as %j", (text, version) => {
  expect(parseVersion(text)).toEqual(version);
});

test("every ability states where it is known from", () => {
  for (const { source } of Object.values(ABILITIES)) expect(source.length).toBeGreaterThan(10);
});

test.each([
  ["our agent", OURS, ["impersonation", "reports", "reset", "views"]],
  ["our agent that upgrades", { "agentk-caps": "impersonation,upgrade" }, ["impersonation", "reports", "reset", "upgrade", "views"]],
  ["our agent that reads logs", { "agentk-caps": "impersonation,logs" }, ["impersonation", "logs", "reports", "reset", "views"]],
  ["our agent without the capability", { ...OURS, "agentk-caps": "raw-target" }, ["reports", "reset", "views"]],
  ["the recorded 14.1.1", { "user-agent": RECORDED_USER_AGENT["14.1.1"] }, []],
  ["the recorded 16.5.0", { "user-agent": RECORDED_USER_AGENT["16.5.0"] }, ["impersonation", "reset", "upgrade"]],
  ["an unknown program", { "user-agent": "curl/8" }, ["reset"]],
  ["an agent without a user agent", {}, ["reset"]],
] as const)("T44, KS8: %s has its abilities", (_name, headers, abilities) => {
  expect(abilitiesOf({ headers })).toEqual(abilities);
});

describe.each([
  ["impersonation", [14, 1], [14, 2]],
  ["reset", [14, 4], [14, 5]],
  ["upgrade", [15, 0], [15, 1]],
] as const satisfies readonly (readonly [AgentAbility, readonly [number, number], readonly [number, number]])[])(
  "KS8: %s",
  (ability, last, first) => {
    test("the version of AgentMeta decides, also against the user agent", () => {
      const older = { "user-agent": assumedUserAgent("v13.0.0", "agentk") };
      const newer = { "user-agent": assumedUserAgent("v18.0.0") };
      expect(hasAbility(ability, { headers: newer, metaVersion: last })).toBe(false);
      expect(hasAbility(ability, { headers: older, metaVersion: first })).toBe(true);
      expect(hasAbility(ability, { headers: {}, metaVersion: [13, 99] })).toBe(false);
    });

    test("the user agent decides until AgentMeta has come", () => {
      expect(hasAbility(ability, { headers: { "user-agent": assumedUserAgent(`v${last.join(".")}.9`) } })).toBe(false);
      expect(hasAbility(ability, { headers: { "user-agent": assumedUserAgent(`v${first.join(".")}.0`) } })).toBe(true);
    });
  },
);

test("T44: an AgentMeta whose version cannot be read takes impersonation away, whatever the user agent is", () => {
  const headers = { "user-agent": RECORDED_USER_AGENT["16.5.0"] };
  expect(hasAbility("impersonation", { headers, metaVersion: "unknown" })).toBe(false);
});

describe("versions of a session", () => {
  // Only its identity counts.
  const session = (): ServerHttp2Session => ({}) as ServerHttp2Session;
  const of = (userAgent: string, agentId = 1n) => ({ agentId, headers: { "user-agent": userAgent } });
  const sixteen = of(RECORDED_USER_AGENT["16.5.0"]);

  test("belong to the agent's streams of that session only", () => {
    const versions = new SessionVersions();
    const [one, other] = [session(), session()];
    expect(versions.learn(one, sixteen, "v16.5.0")).toBe(true);
    expect(versions.learn(one, sixteen, "v16.5.1")).toBe(false);
    expect(versions.of(one, sixteen)).toEqual([16, 5]);
    expect(versions.of(other, sixteen)).toBeUndefined();
  });

  test("T44: a proxy that puts two agents, or two releases of one, into a session mixes up nothing", () => {
    const versions = new SessionVersions();
    const shared = session();
    versions.learn(shared, sixteen, "v16.5.0");
    expect(versions.of(shared, of(RECORDED_USER_AGENT["14.1.1"]))).toBeUndefined();
    expect(versions.of(shared, of(RECORDED_USER_AGENT["16.5.0"], 2n))).toBeUndefined();
  });

  test("an empty version is ignored, one that cannot be read is unknown", () => {
    const versions = new SessionVersions();
    const one = session();
    expect(versions.learn(one, sixteen, "")).toBe(false);
    expect(versions.of(one, sixteen)).toBeUndefined();
    expect(versions.learn(one, sixteen, "custom build")).toBe(true);
    expect(versions.of(one, sixteen)).toBe("unknown");
  });

  test("T44: a client that names ever new programs fills nothing", () => {
    const versions = new SessionVersions();
    const one = session();
    for (let count = 0; count < 100; count += 1) versions.learn(one, of(assumedUserAgent(`v1.${count}`)), "v16.5.0");
    expect(versions.of(one, of(assumedUserAgent("v1.7")))).toEqual([16, 5]);
    expect(versions.of(one, of(assumedUserAgent("v1.8")))).toBeUndefined();
    expect(versions.learn(one, of(`gitlab-agent/${"v".repeat(300)}`), "v16.5.0")).toBe(false);
  });
});
