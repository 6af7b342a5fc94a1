import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ConnectionState,
  DeliveryState,
  DeploymentSource,
  EnvironmentHealthSchema,
  type EnvironmentHealth,
  EnvironmentRowSchema,
  HealthStatus,
  ProblemKind,
  RowGap,
  type EnvironmentRow,
  type Viewer,
} from "@binnacle/proto/dashboard";
import {
  OverviewRowSchema,
  VersionDistanceSchema,
  type OverviewRow,
  type VersionPair,
  type WatchOverviewResponseSchema,
} from "@binnacle/proto/dashboard-overview";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { indexRows } from "./fixture-index.ts";
import { pause } from "./pause.ts";

type OverviewInit = MessageInitShape<typeof WatchOverviewResponseSchema>;

const HOUR_MS = 3_600_000;
const STAGES = [
  ["production", "production"],
  ["staging", "staging"],
  ["testing", "testing"],
  ["dev", "development"],
  ["review/412-cart", "development"],
] as const;
const AGENTS = ["prod-eu", "prod-us", "edge-asia", "staging-eu", "labs"];
const TEAMS = ["payments", "search", "catalogue", "shipping", "accounts", "media", "insights", "platform"];

/** How large the organization of a group is: `large` has 2,000 environments of 50 agents, `nothing` has none. */
const SIZES: Readonly<Record<string, { readonly projects: number; readonly agents: number }>> = {
  large: { projects: 400, agents: 50 },
  nothing: { projects: 0, agents: 0 },
};

/** The overview of a made-up organization. The group `large` changes one environment each second once it is complete. */
export async function* fixtureOverview(group: string, viewer: Viewer, signal: AbortSignal): AsyncGenerator<OverviewInit> {
  const nowMs = Date.now();
  const { projects, agents } = SIZES[group] ?? { projects: 24, agents: AGENTS.length };
  const rows = Array.from({ length: projects }, (_, index) => projectRows(index, { agents, nowMs })).flat();
  const totals = { projects, projectsRead: projects, environments: rows.length, complete: true, deployments: true };
  const names = new Map(rows.flatMap(({ row }) => row?.environment?.projectPath.split("/")[0] ?? []).map((path) => [path, `Team ${path}`]));
  const groups = [...names].map(([fullPath, name]) => ({ fullPath, name }));
  const first = { sentAt: timestampFromMs(Date.now()), viewer, groups, totals };
  yield { ...first, rows: rows.slice(0, 200) };
  for (let from = 200; from < rows.length; from += 200) yield { sentAt: timestampFromMs(Date.now()), rows: rows.slice(from, from + 200) };
  for (let turn = 0; !signal.aborted; turn += 1) {
    await pause(group === "large" ? 1_000 : 10_000, signal);
    const changed = rows[(turn * 7) % Math.max(1, rows.length)];
    const before = changed?.row;
    const status = turn % 2 === 0 ? HealthStatus.PROGRESSING : HealthStatus.HEALTHY;
    const row: EnvironmentRow | undefined =
      group === "large" && before?.health !== undefined ? { ...before, health: healthOf(status) } : undefined;
    yield {
      sentAt: timestampFromMs(Date.now()),
      rows: row === undefined ? [] : [create(OverviewRowSchema, { id: changed?.id ?? "", row })],
    };
  }
}

/** Distances of the made-up versions: their last digits say how far they are apart; a pair with an `f` may not be read. */
export function fixtureDistances(pairs: readonly VersionPair[]) {
  return pairs.map(({ base, head }) => {
    if (head.startsWith("f")) return create(VersionDistanceSchema);
    const [from, to] = [base, head].map((sha) => Number.parseInt(sha.slice(-2), 16));
    return create(VersionDistanceSchema, { known: true, ahead: Math.max(0, (to ?? 0) - (from ?? 0)), behind: to === from ? 1 : 0 });
  });
}

function projectRows(index: number, world: { readonly agents: number; readonly nowMs: number }): OverviewRow[] {
  const team = TEAMS[index % TEAMS.length] ?? "payments";
  const projectPath = `${team}/${index % 3 === 0 ? "backend/" : ""}service-${index + 1}`;
  return STAGES.map(([name, tier], place) => {
    const number = index * STAGES.length + place;
    const row = rowOf({ projectPath, name, tier, number, index, place }, world);
    return create(OverviewRowSchema, { id: String(number), row });
  });
}

function rowOf(
  at: {
    readonly projectPath: string;
    readonly name: string;
    readonly tier: string;
    readonly number: number;
    readonly index: number;
    readonly place: number;
  },
  { agents, nowMs }: { readonly agents: number; readonly nowMs: number },
): EnvironmentRow {
  const { projectPath, name, tier, number, index, place } = at;
  const agent = number % agents;
  const agentName = agents > AGENTS.length ? `cluster-${agent + 1}` : (AGENTS[agent] ?? "");
  const ageMs = ((number * 7_919) % 400) * HOUR_MS;
  const sha = `${"0123456789abcdef"[(index + place) % 16] ?? "0"}${"4f2c91e08a7b6c5d4e3f2a1b0c9d8e7f605142".slice(1)}0${Math.max(0, place - (index % 2))}`;
  const environment = {
    projectPath,
    name,
    slug: name,
    tier,
    state: "available",
    namespace: `${name}-${index}`,
    agentId: BigInt(agent + 1),
    agentName,
    agentProjectPath: "platform/clusters",
    delivery: {
      lastDeployment: {
        state: DeliveryState.KNOWN,
        value: {
          source: DeploymentSource.CI,
          sha,
          ref: "main",
          title: "Raise the limit of open carts",
          at: timestampFromMs(nowMs - ageMs),
        },
      },
    },
  };
  if (number % 23 === 11) return create(EnvironmentRowSchema, { environment, problem: { kind: ProblemKind.AGENT_FORBIDDEN } });
  const isOffline = agent === 2 && agents <= AGENTS.length;
  const connection = {
    state: isOffline ? ConnectionState.AGENT_OFFLINE : ConnectionState.CONNECTED,
    since: timestampFromMs(nowMs - HOUR_MS),
  };
  if (isOffline && number % 2 === 0) return create(EnvironmentRowSchema, { environment, connection, gap: RowGap.NOT_LOOKED_AT });
  const status = number % 29 === 7 ? HealthStatus.DEGRADED : number % 17 === 3 ? HealthStatus.PROGRESSING : HealthStatus.HEALTHY;
  const isWell = status === HealthStatus.HEALTHY;
  return create(EnvironmentRowSchema, {
    environment,
    connection,
    health: healthOf(status),
    workloads: 6,
    workloadsReady: isWell ? 6 : 4,
    workloadsDown: status === HealthStatus.DEGRADED ? 1 : 0,
    images: [{ image: `registry.example.com/${projectPath}/web:1.${index}.${place}`, workloads: 4, since: timestampFromMs(nowMs - ageMs) }],
    lastChange: timestampFromMs(nowMs - ageMs / 4),
    asOf: timestampFromMs(nowMs - (isOffline ? HOUR_MS : 1_000)),
    live: !isOffline,
  });
}

/** A health of this status as one of the rows of the index has it. */
function healthOf(status: HealthStatus): EnvironmentHealth {
  const well = { status, words: toWordsMessage(words("roll-up/healthy", { count: 6 })) };
  return HEALTHS.get(status) ?? create(EnvironmentHealthSchema, well);
}

const HEALTHS = new Map(indexRows().flatMap(({ health }) => (health === undefined ? [] : [[health.status, health] as const])));
