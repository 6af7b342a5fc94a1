import { ConnectionState, HealthStatus, ProblemKind, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { ManualClock, settle, until } from "@binnacle/testing";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, expect, test } from "vitest";

import { DashboardWorld } from "../../testing/dashboard-world.ts";
import type { StandInKas } from "../../kas/testing/stand-in-kas.ts";

const HOUR = 60 * 60_000;
const DEVELOPER = "_gitlab_session=session-developer";

let world: DashboardWorld;
let kas: StandInKas;
let clock: ManualClock;
beforeEach(async () => {
  clock = new ManualClock();
  world = await DashboardWorld.open(["maintainer", "developer"]);
  ({ kas } = world);
  const metadata = { name: "web", generation: 1 };
  const spec = { replicas: 1, selector: { matchLabels: {} }, template: { metadata: {}, spec: { containers: [] } } };
  const status = { observedGeneration: 1, replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
  kas.put("deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata, spec, status });
  world.start(clock);
});
afterEach(() => world.close());

/** An open index: its rows by name. */
class Index {
  readonly rows = new Map<string, EnvironmentRow>();
  readonly #leaving = new AbortController();
  readonly #ended: Promise<void>;

  constructor(cookie?: string) {
    this.#ended = this.#read(cookie).catch((error: unknown) => {
      if (!this.#leaving.signal.aborted && !world.signal.aborted) throw error;
    });
  }

  get production(): EnvironmentRow | undefined {
    return this.rows.get("production");
  }

  async leave(): Promise<void> {
    this.#leaving.abort();
    await this.#ended;
  }

  async #read(cookie: string | undefined): Promise<void> {
    const signal = AbortSignal.any([this.#leaving.signal, world.signal]);
    for await (const { rows } of world.clientWith(cookie).watchEnvironments({ projectPath: "group/app" }, { signal }))
      for (const row of rows) this.rows.set(row.environment?.name ?? "", row);
  }
}

async function look(): Promise<EnvironmentRow | undefined> {
  const index = new Index();
  await clock.advanceUntil(() => index.production?.health !== undefined);
  await index.leave();
  return index.production;
}

/** Three minutes, in which everything that lives on after the last page lets go. */
async function forget(): Promise<void> {
  for (let second = 0; second < 180; second += 1) {
    clock.advance(1_000);
    await settle();
  }
}

async function openOffline(cookie?: string): Promise<Index> {
  const index = new Index(cookie);
  await clock.advanceUntil(() => index.production?.connection?.state === ConnectionState.AGENT_OFFLINE);
  return index;
}

test("US5: an index opened while the agent is away has the last known numbers, with their time", async () => {
  const before = await look();
  await forget();
  kas.offline = true;
  clock.advance(2 * HOUR);
  const { production } = await openOffline();
  expect(production).toMatchObject({ health: { status: HealthStatus.HEALTHY }, workloads: 1, workloadsReady: 1, live: false });
  expect(production?.asOf).toEqual(before?.asOf);
  expect(production?.connection?.since).toBeUndefined();
});

test("US5: they are there at once while the samples of another index are, which cannot be joined without an agent", async () => {
  const other = new Index();
  await clock.advanceUntil(() => other.production?.health !== undefined);
  kas.offline = true;
  const { production } = await openOffline();
  expect(production?.health?.status).toBe(HealthStatus.HEALTHY);
});

test("US5: an environment that was only open as a page has its line in the index", async () => {
  const leaving = new AbortController();
  const tab = world.anotherTab(leaving.signal);
  await clock.advanceUntil(() => tab.isComplete() && tab.nodes.size === 1);
  const seenMs = clock.now();
  leaving.abort();
  await tab.ended;
  await forget();
  kas.offline = true;
  const { production } = await openOffline();
  expect(production).toMatchObject({ health: { status: HealthStatus.HEALTHY }, workloads: 1 });
  expect(production?.asOf === undefined ? 0 : timestampMs(production.asOf)).toBeGreaterThanOrEqual(seenMs);
});

test("US5, T23: another user sees nothing of them, nor does one who was refused meanwhile", async () => {
  await look();
  await forget();
  kas.offline = true;
  expect((await openOffline(DEVELOPER)).production?.health).toBeUndefined();
  kas.allowed.delete("maintainer");
  const refused = new Index();
  await clock.advanceUntil(() => refused.production?.problem !== undefined);
  expect(refused.production?.problem?.kind).toBe(ProblemKind.AGENT_FORBIDDEN);
  expect(refused.production?.health).toBeUndefined();
  kas.allowed.add("maintainer");
  expect((await openOffline()).production?.health).toBeUndefined();
});

test("US5, T23: when the agent is back and the viewer has another identity, they are removed", async () => {
  await look();
  await forget();
  kas.offline = true;
  const index = await openOffline();
  expect(index.production?.health).toBeDefined();
  kas.groups = ["gitlab:user", "demoted"];
  kas.objects.clear();
  kas.offline = false;
  const states: (HealthStatus | undefined)[] = [];
  await until(() => {
    clock.advance(10);
    if (index.production?.connection?.state !== ConnectionState.AGENT_OFFLINE) states.push(index.production?.health?.status);
    return index.production?.connection?.state === ConnectionState.CONNECTED && index.production.health !== undefined;
  });
  expect(states.filter((status) => status === HealthStatus.HEALTHY)).toEqual([]);
});
