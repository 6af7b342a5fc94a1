import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConnectionSchema,
  ConnectionState,
  EnvironmentHealthSchema,
  EnvironmentRowSchema,
  HealthStatus,
  RowGap,
  type EnvironmentHealth,
  type EnvironmentRow,
  type Viewer,
  type WatchEnvironmentsResponseSchema,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { environmentOf, rollUp } from "./fixture-environment.ts";
import { PROBLEMS } from "./fixture-problems.ts";
import { pause } from "./pause.ts";
import { seedMixed } from "./seed.ts";

type EnvironmentsInit = MessageInitShape<typeof WatchEnvironmentsResponseSchema>;

/** The rows of the index. */
export function indexRows(): EnvironmentRow[] {
  const nowMs = Date.now();
  const row = (name: string, init: MessageInitShape<typeof EnvironmentRowSchema> & { readonly status?: HealthStatus }): EnvironmentRow => {
    const world = seedMixed(nowMs);
    const health = init.status === undefined ? undefined : healthAs(init.status, rollUp(world, name === "production"));
    return create(EnvironmentRowSchema, {
      environment: environmentOf(name),
      connection: create(ConnectionSchema, { state: ConnectionState.CONNECTED, since: timestampFromMs(nowMs - 3_600_000) }),
      workloads: 9,
      workloadsReady: init.status === HealthStatus.HEALTHY ? 9 : 6,
      lastChange: timestampFromMs(nowMs - 40_000),
      asOf: timestampFromMs(nowMs),
      live: true,
      ...(health === undefined ? {} : { health }),
      ...init,
    });
  };
  const problem = PROBLEMS["payments-vault"];
  return [
    row("production", { status: HealthStatus.DEGRADED, workloadsDown: 2 }),
    row("staging", { status: HealthStatus.PROGRESSING, workloadsSuspended: 3, workloadsDown: 0 }),
    row("integration", { status: HealthStatus.HEALTHY }),
    row("review/1184-cart", { status: HealthStatus.HEALTHY }),
    row("offline", {
      status: HealthStatus.DEGRADED,
      connection: create(ConnectionSchema, { state: ConnectionState.AGENT_OFFLINE, since: timestampFromMs(nowMs - 21 * 60_000) }),
      asOf: timestampFromMs(nowMs - 21 * 60_000),
    }),
    row("payments-vault", problem === undefined ? {} : { problem }),
  ];
}

/** The health of a world, had it nothing worse than this: the reasons are of its own status, and what is well has none. */
function healthAs(status: HealthStatus, health: EnvironmentHealth): EnvironmentHealth {
  if (status === HealthStatus.DEGRADED) return health;
  const issues = health.issues.filter((issue) => issue.status === status && !issue.notice);
  const roots = health.counts.reduce((sum, { count }) => sum + count, 0);
  const shown = issues[0] ?? { reason: "AllHealthy", words: toWordsMessage(words("roll-up/healthy", { count: roots })) };
  return create(EnvironmentHealthSchema, {
    ...health,
    status,
    reason: shown.reason,
    ...(shown.words === undefined ? {} : { words: shown.words }),
    issues,
    issuesTotal: issues.length,
    resourcesTotal: issues.reduce((sum, { membersTotal }) => sum + membersTotal, 0),
  });
}

/** Two hundred environments that become known bit by bit; of the last twenty the agent is offline. */
export async function* manyEnvironments(viewer: Viewer, signal: AbortSignal): AsyncGenerator<EnvironmentsInit> {
  const nowMs = Date.now();
  const rows = Array.from({ length: 200 }, (_, index) => {
    const status = index % 37 === 5 ? HealthStatus.DEGRADED : index % 23 === 7 ? HealthStatus.PROGRESSING : HealthStatus.HEALTHY;
    const offline = index >= 180;
    const state = offline ? ConnectionState.AGENT_OFFLINE : ConnectionState.CONNECTED;
    const unknown = {
      environment: { ...environmentOf(`review-${1000 + index}`), externalUrl: "", agentName: offline ? "edge-us" : "prod-eu" },
      connection: { state, since: timestampFromMs(nowMs - 14 * 60_000) },
      gap: RowGap.NOT_LOOKED_AT,
    };
    const known = {
      ...unknown,
      gap: RowGap.UNSPECIFIED,
      health: {
        status,
        message: status === HealthStatus.HEALTHY ? "All 9 checked resources are healthy" : "Deployment web: it does not start",
      },
      workloads: 3,
      workloadsReady: status === HealthStatus.HEALTHY ? 3 : 2,
      lastChange: timestampFromMs(nowMs - index * 61_000),
      asOf: timestampFromMs(nowMs - (offline ? 14 * 60_000 : 4_000)),
      every: durationFromMs(30_000),
    };
    return { unknown, known };
  });
  const message = (from: number, to: number): EnvironmentsInit => ({
    rows: rows.map(({ unknown, known }, index) => (index >= from && index < to ? known : unknown)),
    complete: true,
    viewer,
    sentAt: timestampFromMs(Date.now()),
  });
  yield message(0, 0);
  await pause(4_000, signal);
  yield message(0, 120);
  await pause(4_000, signal);
  yield message(0, 195);
  while (!signal.aborted) {
    await pause(10_000, signal);
    const names = rows.slice(0, 180).map(({ known }) => known.environment.name);
    yield { sentAt: timestampFromMs(Date.now()), seen: [{ asOf: timestampFromMs(Date.now() - 4_000), names }] };
  }
}
