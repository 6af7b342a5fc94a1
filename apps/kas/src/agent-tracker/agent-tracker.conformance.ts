import { ConnectedAgentInfoSchema, type ConnectedAgentInfo } from "@binnacle/proto/agent-tracker";
import { create } from "@bufbuild/protobuf";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import type { AgentTracker } from "./agent-tracker.ts";

/** A tracker under test. */
export interface TrackerUnderTest {
  readonly tracker: AgentTracker;
  /** Settles when what was registered so far can be read. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A connection as an agent configuration stream registers it. */
export function connectionOf(
  changes: { readonly agentId?: bigint; readonly projectId?: bigint; readonly connectionId?: bigint } = {},
): ConnectedAgentInfo {
  const { agentId = 1n, projectId = 10n, connectionId = 100n } = changes;
  const agentMeta = { version: "v1.2.3", commitId: "abc", podNamespace: "gitlab-agent", podName: "agentk-0" };
  return create(ConnectedAgentInfoSchema, {
    agentId,
    projectId,
    connectionId,
    agentMeta,
    connectedAt: { seconds: 1_800_000_000n, nanos: 5 },
  });
}

/** What every tracker promises, whatever it keeps its entries in. */
export function describeAgentTracker(name: string, open: () => Promise<TrackerUnderTest>): void {
  describe(`agent tracker in ${name}`, () => {
    let under: TrackerUnderTest;

    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());

    async function ids(found: Promise<readonly ConnectedAgentInfo[]>): Promise<bigint[]> {
      return (await found).map((info) => info.connectionId).toSorted((a, b) => Number(a - b));
    }

    test("an agent that is not registered has no connections", async () => {
      expect(await under.tracker.byAgent(1n)).toEqual([]);
      expect(await under.tracker.byProject(10n)).toEqual([]);
    });

    test("a registered connection is found by agent and by project, with all its fields", async () => {
      const info = connectionOf();
      under.tracker.register(info);
      await under.settled();
      expect(await under.tracker.byAgent(1n)).toEqual([info]);
      expect(await under.tracker.byProject(10n)).toEqual([info]);
    });

    test("what becomes known of a connected process is found with it, and nothing of one that is not connected", async () => {
      under.tracker.register(connectionOf());
      under.tracker.update(100n, { configurationCommit: "abc" });
      under.tracker.update(999n, { configurationCommit: "abc" });
      await under.settled();
      expect(await under.tracker.byAgent(1n)).toMatchObject([{ connectionId: 100n, configurationCommit: "abc", agentId: 1n }]);
      under.tracker.unregister(connectionOf());
      under.tracker.update(100n, { configurationCommit: "abc" });
      await under.settled();
      expect(await under.tracker.byAgent(1n)).toEqual([]);
    });

    test("an agent with several processes has several connections", async () => {
      under.tracker.register(connectionOf({ connectionId: 100n }));
      under.tracker.register(connectionOf({ connectionId: 101n }));
      await under.settled();
      expect(await ids(under.tracker.byAgent(1n))).toEqual([100n, 101n]);
    });

    test("agents of one project are found together, agents of another are not", async () => {
      under.tracker.register(connectionOf({ agentId: 1n, connectionId: 100n }));
      under.tracker.register(connectionOf({ agentId: 2n, connectionId: 101n }));
      under.tracker.register(connectionOf({ agentId: 3n, connectionId: 102n, projectId: 11n }));
      await under.settled();
      expect(await ids(under.tracker.byProject(10n))).toEqual([100n, 101n]);
      expect(await ids(under.tracker.byAgent(3n))).toEqual([102n]);
    });

    test("an unregistered connection is gone, its neighbours stay", async () => {
      under.tracker.register(connectionOf({ connectionId: 100n }));
      under.tracker.register(connectionOf({ connectionId: 101n }));
      await under.settled();
      under.tracker.unregister(connectionOf({ connectionId: 100n }));
      await under.settled();
      expect(await ids(under.tracker.byAgent(1n))).toEqual([101n]);
      expect(await ids(under.tracker.byProject(10n))).toEqual([101n]);
    });

    test("registering and unregistering at once leaves nothing", async () => {
      under.tracker.register(connectionOf());
      under.tracker.unregister(connectionOf());
      await under.settled();
      expect(await under.tracker.byAgent(1n)).toEqual([]);
    });

    test("unregistering what is not there is harmless", async () => {
      under.tracker.unregister(connectionOf());
      await under.settled();
      expect(await under.tracker.byAgent(1n)).toEqual([]);
    });

    test("registering the same connection again replaces it", async () => {
      under.tracker.register(connectionOf());
      under.tracker.register(connectionOf());
      await under.settled();
      expect(await under.tracker.byAgent(1n)).toHaveLength(1);
    });

    test("ids as large as int64 survive", async () => {
      const largest = 9_223_372_036_854_775_807n;
      under.tracker.register(connectionOf({ agentId: largest, projectId: largest, connectionId: largest }));
      await under.settled();
      expect(await ids(under.tracker.byAgent(largest))).toEqual([largest]);
    });
  });
}
