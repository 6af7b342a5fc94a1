import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ConnectionSchema, ConnectionState } from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import type { ViewState } from "@binnacle/presentation/view/view-state";
import { freshnessOf, isGrey } from "@binnacle/presentation/view/freshness";
import { retryDelayMs } from "./retry-delay.ts";

const T = 1_000_000;

function view(state: ConnectionState, change: Partial<ViewState> = {}): ViewState {
  return viewOf({ connection: create(ConnectionSchema, { state, since: timestampFromMs(T - 60_000) }), ...change });
}

function viewOf(change: Partial<ViewState>): ViewState {
  return {
    sources: [],
    complete: true,
    stream: { kind: "open" },
    lastMessageMs: T,
    sentAtMs: T,
    contentAsOfMs: T,
    stale: false,
    kept: false,
    blank: false,
    version: 1,
    ...change,
  };
}

test("live while messages come, heartbeats included", () => {
  expect(freshnessOf(view(ConnectionState.CONNECTED), T + 15_500).kind).toBe("live");
});

test("reconnecting after 15 s of silence, stale after 30 s whatever the last message was", () => {
  expect(freshnessOf(view(ConnectionState.CONNECTED), T + 18_000)).toEqual({ kind: "reconnecting", asOfMs: T });
  expect(freshnessOf(view(ConnectionState.CONNECTED), T + 30_001)).toEqual({ kind: "stale", asOfMs: T });
  expect(freshnessOf(view(ConnectionState.AGENT_OFFLINE), T + 30_001).kind).toBe("stale");
});

test("a broken stream is reconnecting at once", () => {
  expect(freshnessOf(view(ConnectionState.CONNECTED, { stream: { kind: "lost", reason: "", sinceMs: T } }), T + 10).kind).toBe(
    "reconnecting",
  );
});

test("an offline agent is grey and says since when", () => {
  const freshness = freshnessOf(view(ConnectionState.AGENT_OFFLINE), T + 10);
  expect(freshness).toEqual({ kind: "agent-offline", sinceMs: T - 60_000, asOfMs: T - 60_000 });
  expect(isGrey(freshness)).toBe(true);
});

test("a cluster that has been reconnecting for long is stale", () => {
  expect(freshnessOf(view(ConnectionState.RECONNECTING), T + 10).kind).toBe("stale");
});

test("nothing yet is connecting, not stale", () => {
  expect(freshnessOf(view(ConnectionState.CONNECTED, { lastMessageMs: 0 }), T + 90_000).kind).toBe("connecting");
});

test("retries double up to ten seconds, with jitter over the upper half", () => {
  expect([0, 1, 2, 9, 90].map((attempt) => retryDelayMs(attempt, 1))).toEqual([500, 1000, 2000, 10_000, 10_000]);
  expect(retryDelayMs(3, 0)).toBe(2000);
});

test.each([
  [ConnectionState.AGENT_OFFLINE, "agent-offline"],
  [ConnectionState.KAS_UNREACHABLE, "kas-unreachable"],
  [ConnectionState.API_DOWN, "api-down"],
])("US6: state %i of the connection is the freshness %s, grey", (state, kind) => {
  const freshness = freshnessOf(view(state), T + 10);
  expect(freshness).toEqual({ kind, sinceMs: T - 60_000, asOfMs: T - 60_000 });
  expect(isGrey(freshness)).toBe(true);
});

test("US6: a dashboard that does not answer has a state of its own after 5 s, whatever the agent was", () => {
  const lost = { kind: "lost", reason: "", sinceMs: T } as const;
  const freshness = freshnessOf(view(ConnectionState.AGENT_OFFLINE, { stream: lost }), T + 5_000);
  expect(freshness).toEqual({ kind: "bff-unreachable", sinceMs: T, asOfMs: T, grey: false });
  expect(isGrey(freshnessOf(view(ConnectionState.CONNECTED, { stream: lost }), T + 31_000))).toBe(true);
});

test("W4: what is shown from before a reconnect is never live, and stale after half a minute", () => {
  const held = { stale: true, contentAsOfMs: T - 20_000 };
  expect(freshnessOf(view(ConnectionState.CONNECTED, held), T)).toEqual({ kind: "reconnecting", asOfMs: T - 20_000 });
  expect(freshnessOf(view(ConnectionState.CONNECTING, held), T + 10_001).kind).toBe("stale");
});

test("US5: an agent that is away since an unknown time has no time, and a picture that was kept has its own", () => {
  const connection = create(ConnectionSchema, { state: ConnectionState.AGENT_OFFLINE });
  expect(freshnessOf(viewOf({ connection, kept: true, contentAsOfMs: T - 7_200_000 }), T + 10)).toEqual({
    kind: "agent-offline",
    sinceMs: undefined,
    asOfMs: T - 7_200_000,
  });
});
