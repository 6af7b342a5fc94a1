import {
  ConnectionState,
  HealthStatus,
  ProblemKind,
  RowGap,
  type Dashboard,
  type EnvironmentRow,
  type WatchEnvironmentsResponse,
} from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock } from "@binnacle/testing";
import type { Client } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, test } from "vitest";

import { createBff, type Bff } from "../../bff.ts";
import type { WebConfig } from "../../config/config.ts";
import { dashboardClient, DashboardTab } from "../../testing/dashboard-tab.ts";
import { ORIGIN, standInConfig } from "../../config/testing/stand-in-config.ts";
import { StandInKas } from "../../kas/testing/stand-in-kas.ts";
import { StandInMainApplication } from "../../gitlab/testing/stand-in-main-application.ts";

/** Advances while the test waits, a little with each turn of the event loop: half a minute between two polls would be long for a test. */
let clock: ManualClock;
/** Waits of half a second, the pace of rows, end only while it passes. */
const pace = { passes: true };
let main: StandInMainApplication;
let kas: StandInKas;
let bff: Bff;
let config: WebConfig;
let leave: AbortController;

beforeEach(async () => {
  clock = new ManualClock();
  main = new StandInMainApplication();
  kas = new StandInKas(main);
  for (const user of ["maintainer", "developer", "outsider"]) main.sessions.set(`session-${user}`, user);
  kas.allowed.add("maintainer").add("developer");
  config = standInConfig({ mainApplication: await main.listen(), kas: await kas.listen() });
  const paced: Clock = {
    now: () => clock.now(),
    after: (ms, action) => (ms === 500 && !pace.passes ? () => undefined : clock.after(ms, action)),
  };
  bff = createBff({ config, clock: paced, log: createLogger("web", "silent"), metrics: { refused: () => undefined } });
  leave = new AbortController();
  pace.passes = true;
});

afterEach(async () => {
  leave.abort();
  await bff.close();
  await kas.close();
  await main.close();
});

function client(user = "maintainer"): Client<typeof Dashboard> {
  return dashboardClient(bff, { origin: ORIGIN, cookie: `_gitlab_session=session-${user}` });
}

/** So many environments of agent 3, each with a namespace and a Deployment of its own. */
function populate(count: number, broken: readonly number[] = []): void {
  main.environments = Array.from({ length: count }, (_, id) => ({ id: id + 1, name: `env-${id}`, namespace: `ns-${id}`, agentId: 3 }));
  for (let id = 0; id < count; id += 1) putDeployment(id, !broken.includes(id));
}

function putDeployment(id: number, ready: boolean): void {
  const replicas = ready ? { readyReplicas: 1, availableReplicas: 1 } : { unavailableReplicas: 1 };
  const late = [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "it took too long" }];
  // The stand-in keeps whatever metadata it is given.
  const metadata = { name: `web-${id}`, namespace: `ns-${id}`, generation: 1 } as { name: string };
  kas.put("deployments", {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: { replicas: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1, ...replicas, ...(ready ? {} : { conditions: late }) },
  });
}

/** A page that shows the index. */
class Index {
  readonly rows = new Map<string, EnvironmentRow>();
  readonly messages: WatchEnvironmentsResponse[] = [];
  readonly ended: Promise<void>;

  constructor(user = "maintainer", signal = leave.signal, visible: string[] = []) {
    this.ended = this.#read(user, visible, signal);
  }

  until(wanted: (index: Index) => boolean): Promise<void> {
    return clock.advanceUntil(
      () => wanted(this),
      10,
      () => this.messages.at(-1),
    );
  }

  all(wanted: (row: EnvironmentRow) => boolean): boolean {
    return this.rows.size > 0 && [...this.rows.values()].every(wanted);
  }

  async #read(user: string, visible: string[], signal: AbortSignal): Promise<void> {
    try {
      for await (const message of client(user).watchEnvironments({ projectPath: "group/app", visible }, { signal })) {
        this.messages.push(message);
        for (const row of message.rows) this.rows.set(row.environment?.name ?? "", row);
        for (const name of message.removed) this.rows.delete(name);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

const isKnown = (row: EnvironmentRow): boolean => row.health !== undefined;

test("W1, W2: a hundred environments all have a health, without a watch and for a handful of requests", async () => {
  populate(100, [99]);
  const index = new Index();
  await index.until((now) => now.all(isKnown));
  expect(index.rows.size).toBe(100);
  expect(index.rows.get("env-99")?.health?.status).toBe(HealthStatus.DEGRADED);
  expect(index.rows.get("env-0")).toMatchObject({
    health: { status: HealthStatus.HEALTHY },
    workloads: 1,
    live: false,
    workloadsOnly: false,
  });
  expect(Number(index.rows.get("env-0")?.every?.seconds)).toBe(30);
  expect(kas.watches.size).toBe(0);
  expect(kas.requests.filter((line) => line.includes("/namespaces/ns-"))).toEqual([]);
});

test("rows that are known soon after the first message are sent at once, not after the interval of rows", async () => {
  populate(1);
  pace.passes = false;
  const index = new Index();
  await index.until((now) => now.all(isKnown));
  expect(index.messages[0]?.rows.map(isKnown)).toEqual([false]);
});

test("UB1: the first message has a row for every environment, each not known yet, which is no status", async () => {
  populate(100);
  main.environments.push({ id: 500, name: "bare", namespace: "", agentId: 0 });
  const index = new Index();
  await index.until(({ messages }) => messages.length > 0);
  const first = index.messages[0]?.rows ?? [];
  expect(first).toHaveLength(101);
  expect(first.find((row) => row.environment?.name === "bare")?.problem?.kind).toBe(ProblemKind.NO_AGENT);
  const rest = first.filter((row) => row.environment?.name !== "bare");
  expect(rest.every((row) => row.health === undefined && row.gap === RowGap.NOT_LOOKED_AT)).toBe(true);
});

test("W1: with rights in namespaces only, every environment has the health of its workloads", async () => {
  kas.clusterWide = false;
  populate(20, [7]);
  const index = new Index("maintainer", leave.signal, ["env-7"]);
  await index.until((now) => now.all(isKnown));
  expect(index.rows.get("env-7")?.health?.status).toBe(HealthStatus.DEGRADED);
  expect(index.all((row) => row.workloadsOnly)).toBe(true);
  const looks = kas.requests.filter((line) => /\/namespaces\/ns-\d+\/pods$/.test(line));
  expect(looks[0]).toContain("/namespaces/ns-7/");
});

test("W10, T23: rows whose user_access is withdrawn lose their numbers, and have them again when it is given back", async () => {
  populate(3);
  const index = new Index();
  await index.until((now) => now.all(isKnown));
  kas.allowed.delete("maintainer");
  await index.until((now) => now.all((row) => row.problem?.kind === ProblemKind.AGENT_FORBIDDEN && row.health === undefined));
  kas.allowed.add("maintainer");
  await index.until((now) => now.all(isKnown));
  expect(index.all((row) => row.problem === undefined && row.health?.status === HealthStatus.HEALTHY)).toBe(true);
});

test("UB1: an agent that goes away leaves every row with its numbers and their time, and comes back", async () => {
  populate(3, [1]);
  const index = new Index();
  await index.until((now) => now.all(isKnown));
  kas.offline = true;
  await index.until((now) => now.all((row) => row.connection?.state === ConnectionState.AGENT_OFFLINE));
  expect(index.rows.get("env-1")?.health?.status).toBe(HealthStatus.DEGRADED);
  expect(index.all((row) => row.asOf !== undefined)).toBe(true);
  kas.offline = false;
  await index.until((now) => now.all((row) => row.connection?.state === ConnectionState.CONNECTED));
});

test("UB1: an index of an agent that was never reached says offline, and no health at all", async () => {
  populate(2);
  kas.offline = true;
  const index = new Index();
  await index.until((now) => now.all((row) => row.connection?.state === ConnectionState.AGENT_OFFLINE));
  expect(index.all((row) => row.health === undefined && row.problem === undefined)).toBe(true);
  kas.offline = false;
  await index.until((now) => now.all(isKnown));
});

test("a user who opens it again, or twice, causes no list; another user has his own", async () => {
  populate(3);
  const first = new Index();
  await first.until((now) => now.all(isKnown));
  const lists = (user: string): number => kas.requests.filter((line) => line === `${user} GET /apis/apps/v1/deployments`).length;
  const before = lists("maintainer");
  const second = new Index();
  await second.until((now) => now.all(isKnown));
  // At most the round that was due anyway: a count and a list.
  expect(lists("maintainer")).toBeLessThanOrEqual(before + 2);
  expect(lists("developer")).toBe(0);
  const other = new Index("developer");
  await other.until((now) => now.all(isKnown));
  expect(lists("developer")).toBeGreaterThan(0);
});

test("T23: one viewer is proved once for all rows of an agent", async () => {
  populate(50);
  const index = new Index();
  await index.until((now) => now.all(isKnown));
  const before = kas.proofs.length;
  await index.until(() => kas.proofs.length > before + 1);
  expect(kas.proofs.length - before).toBeLessThan(5);
});

test("XM5: after the viewer has disconnected, no request uses his credential, though the cached rows remain", async () => {
  populate(3);
  const closing = new AbortController();
  const index = new Index("maintainer", closing.signal);
  await index.until((now) => now.all(isKnown));
  closing.abort();
  await index.ended;
  const other = new Index("developer");
  await other.until((now) => now.all(isKnown));
  const sent = (user: string): number => kas.requests.filter((line) => line.startsWith(`${user} `)).length;
  const before = { maintainer: sent("maintainer"), proofs: kas.proofs.length };
  await other.until(() => kas.proofs.length > before.proofs + 2);
  expect(sent("maintainer")).toBe(before.maintainer);
  const again = new Index();
  await again.until((now) => now.all(isKnown));
});

test("an environment that is open as a page is live in the index, at once and without a poll", async () => {
  main.environments = [{ id: 7, name: "production", namespace: "ns-0", agentId: 3 }];
  putDeployment(0, true);
  const index = new Index();
  await index.until((now) => now.all(isKnown));
  const closing = new AbortController();
  const page = new DashboardTab(client(), closing.signal);
  await clock.advanceUntil(() => page.isComplete());
  await index.until((now) => now.all((row) => row.live));
  putDeployment(0, false);
  await index.until((now) => now.all((row) => row.live && row.health?.status === HealthStatus.DEGRADED));
  closing.abort();
  await index.until((now) => now.all((row) => !row.live));
  expect(index.all((row) => row.every !== undefined && row.health?.status === HealthStatus.DEGRADED)).toBe(true);
});

test.each([
  ["one that knows environments that are being stopped", false],
  ["one of before", true],
])("environments that were stopped are in no index: %s", async (_, isOfBefore) => {
  main.knowsNoStopping = isOfBefore;
  populate(1);
  main.environments.push({ id: 500, name: "over", namespace: "over", agentId: 3, state: "stopped" });
  main.environments.push({ id: 501, name: "ending", namespace: "ending", agentId: 3, state: "stopping" });
  const index = new Index();
  await index.until(({ rows }) => rows.size > 0);
  expect([...index.rows.keys()]).toEqual(isOfBefore ? ["env-0"] : ["env-0", "ending"]);
});

test("environments that leave are removed, and those that join have a row and a health", async () => {
  populate(3);
  const index = new Index();
  await index.until((now) => now.all(isKnown));
  main.environments = [...main.environments.slice(1), { id: 90, name: "env-90", namespace: "ns-90", agentId: 3 }];
  putDeployment(90, false);
  await index.until((now) => !now.rows.has("env-0") && now.rows.has("env-90") && now.all(isKnown));
  expect(index.rows.get("env-90")?.health?.status).toBe(HealthStatus.DEGRADED);
});
