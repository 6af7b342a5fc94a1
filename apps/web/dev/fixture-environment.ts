import { create } from "@bufbuild/protobuf";
import {
  EnvironmentHealthSchema,
  DeliveryState,
  EnvironmentSchema,
  HealthStatus,
  IssueGroupSchema,
  SettledState,
  SourceSchema,
  type Environment,
  type EnvironmentHealth,
  type IssueGroup,
  type Node,
  type Snapshot,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { messageText } from "../src/ui/messages.ts";
import { fixtureDeployment } from "./fixture-deployment.ts";
import { fixtureDrift, fixtureSync } from "./fixture-gitops.ts";
import { hasFixtureTerminal } from "./fixture-terminal.ts";
import { fixtureTools } from "./fixture-tools.ts";
import { noticeGroups, suspendedGroups } from "./fixture-notices.ts";
import { reasonOf, wordsOf } from "./issue-words-of.ts";
import type { World } from "./world.ts";

/** The project of the fixtures. */
export const PROJECT = "harbor/storefront";

/** The environment of a name. */
export function environmentOf(name: string): Environment {
  const nowMs = Date.now();
  return create(EnvironmentSchema, {
    projectPath: PROJECT,
    name,
    slug: name,
    tier: name === "production" ? "production" : "staging",
    state: "available",
    externalUrl: name === "production" ? "https://shop.example.com" : "",
    namespace: "shop-prod",
    agentId: 1n,
    agentName: "prod-eu",
    agentProjectPath: PROJECT,
    terminal: hasFixtureTerminal(name),
    delivery: {
      lastDeployment: fixtureDeployment(name, nowMs),
      sync: fixtureSync(name, nowMs, fixtureTools(name, nowMs)),
      drift: fixtureDrift(name, nowMs),
      inventory: { state: DeliveryState.UNKNOWN },
    },
  });
}

/** What is read of a cluster, with one kind that is forbidden or without. */
export function sources(partial: boolean): Snapshot["sources"] {
  const live = ["pods", "deployments", "services"].map((resource) =>
    create(SourceSchema, { resource, version: "v1", namespace: "shop-prod", settled: SettledState.LIVE }),
  );
  if (!partial) return live;
  const forbidden = create(SourceSchema, {
    resource: "secrets",
    kind: "Secret",
    version: "v1",
    namespace: "shop-prod",
    settled: SettledState.FORBIDDEN,
    words: toWordsMessage(
      quoted('secrets is forbidden: User "gitlab:user:mara" cannot list resource "secrets" in API group "" in the namespace "shop-prod"'),
    ),
    countsForHealth: true,
  });
  return [...live, forbidden];
}

/** The health of a world as a whole. */
export function rollUp(world: World, partial: boolean): EnvironmentHealth {
  const counts = new Map<HealthStatus, number>();
  const roots = [...world.nodes.values()].filter((node) => node.ownerId === 0 && node.health !== undefined);
  for (const node of roots) counts.set(node.health?.status ?? 0, (counts.get(node.health?.status ?? 0) ?? 0) + 1);
  const worst = roots.toSorted((left, right) => (right.health?.status ?? 0) - (left.health?.status ?? 0));
  const unwell = worst.filter((node) => (node.health?.status ?? 0) > HealthStatus.SUSPENDED);
  const nodes = [...world.nodes.values()];
  const issues = [...issuesOf(unwell), ...noticeGroups(nodes, "issue")];
  const uncounted = [...suspendedGroups(roots), ...noticeGroups(nodes, "uncounted")];
  return create(EnvironmentHealthSchema, {
    status: worst[0]?.health?.status ?? HealthStatus.UNSPECIFIED,
    partial,
    reason: issues[0]?.reason ?? "",
    ...(issues[0]?.words === undefined ? {} : { words: issues[0].words }),
    counts: [...counts].map(([status, count]) => ({ status, count })),
    issues: issues.slice(0, 50),
    issuesTotal: issues.length,
    resourcesTotal: issues.reduce((sum, { membersTotal }) => sum + membersTotal, 0),
    uncounted: uncounted.slice(0, 50),
    uncountedTotal: uncounted.length,
    hidden: partial ? ["secrets"] : [],
  });
}

/** As the roll-up does it; here the words of the root are its key. */
function issuesOf(unwell: readonly Node[]): IssueGroup[] {
  const groups = Map.groupBy(unwell, ({ id, health }) =>
    health?.why === undefined ? String(id) : `${health.why.reason} ${messageText(health.why.words)}`,
  );
  return [...groups].map(([key, members]) => {
    const health = members[0]?.health;
    const since = health?.why?.firstBadAt ?? health?.since;
    return create(IssueGroupSchema, {
      key,
      status: health?.status ?? 0,
      ...reasonOf(health?.why?.reason ?? health?.reason ?? ""),
      ...wordsOf(health),
      ...(since === undefined ? {} : { since }),
      ...(health?.why === undefined ? {} : { why: health.why }),
      membersTotal: members.length,
      members: members.slice(0, 20).map(({ ref, health: own }) => ({
        ...(ref === undefined ? {} : { ref }),
        status: own?.status ?? 0,
      })),
      kinds: [...new Set(members.map(({ ref }) => ref?.kind ?? ""))].sort(),
    });
  });
}
