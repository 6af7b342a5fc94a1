import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  ConfigurationErrorSchema,
  ConnectionSchema,
  ConnectionState,
  Dashboard,
  DeltaSchema,
  EnvironmentHealthSchema,
  EnvironmentRowSchema,
  EnvironmentSchema,
  GetResourceResponseSchema,
  HealthStatus,
  NodeSchema,
  ProblemKind,
  ProblemSchema,
  SnapshotSchema,
  SourceSchema,
  SourceState,
  ViewerSchema,
  WatchEnvironmentResponseSchema,
  type Delta,
  type Environment,
  type EnvironmentHealth,
  type EnvironmentRow,
  type GetResourceResponse,
  type Problem,
  type Snapshot,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { seedLarge, seedMixed } from "./seed.ts";
import { World } from "./world.ts";

const PROJECT = "harbor/storefront";
const VIEWER = create(ViewerSchema, {
  username: "mara",
  name: "Mara Lindqvist",
  clusterUsername: "gitlab:user:mara",
  clusterGroups: ["gitlab:user", "gitlab:project_role:1:developer"],
});

type Message =
  | { readonly case: "snapshot"; readonly value: Snapshot }
  | { readonly case: "delta"; readonly value: Delta }
  | { readonly case: "problem"; readonly value: Problem };

/** Makes the fixture say something new; `dev` only. */
export interface Control {
  /** Sends a message to every open stream of the environment. */
  send(environment: string, message: Message): void;
  /** Changes one pod of `production` and sends it. */
  touch(environment: string, id: string, fact: string): void;
}

/** The dashboard service over made-up worlds; an environment's name decides its state. */
export function fixtureService(): { readonly routes: (router: ConnectRouter) => void; readonly control: Control } {
  const listeners = new Map<string, Set<(message: Message) => void>>();
  const worlds = new Map<string, World>();
  const control: Control = {
    send: (environment, message) => {
      for (const listener of listeners.get(environment) ?? []) listener(message);
    },
    touch(environment, id, fact) {
      const node = worlds.get(environment)?.nodes.get(id);
      if (node === undefined) return;
      const next = create(NodeSchema, { ...node, fact });
      worlds.get(environment)?.nodes.set(id, next);
      control.send(environment, { case: "delta", value: create(DeltaSchema, { upsertedNodes: [next] }) });
    },
  };
  return {
    control,
    routes: (router) => {
      router.service(Dashboard, {
        listProjects: () => ({
          projects: [
            { fullPath: PROJECT, name: "storefront" },
            { fullPath: "group/app", name: "app" },
          ],
          viewer: VIEWER,
        }),
        async *watchEnvironments(request, context) {
          if (request.projectPath === "signed/out") throw new ConnectError("no session", Code.Unauthenticated);
          const rows = request.projectPath === "empty/project" ? [] : indexRows();
          yield { rows, complete: true, viewer: VIEWER, sentAt: timestampFromMs(Date.now()) };
          while (!context.signal.aborted) {
            await pause(10_000, context.signal);
            yield { sentAt: timestampFromMs(Date.now()) };
          }
        },
        async *watchEnvironment(request, context) {
          const queue: Message[] = opening(request.environment, worlds);
          let wake = (): void => undefined;
          const listener = (message: Message): void => {
            queue.push(message);
            wake();
          };
          const group = listeners.get(request.environment) ?? new Set();
          listeners.set(request.environment, group.add(listener));
          try {
            while (!context.signal.aborted) {
              const message = queue.shift();
              if (message !== undefined) yield wrap(message);
              else if (request.environment === "stale") await pause(3_600_000, context.signal);
              else {
                await Promise.race([pause(10_000, context.signal), new Promise<void>((resolve) => (wake = resolve))]);
                if (queue.length === 0)
                  yield create(WatchEnvironmentResponseSchema, {
                    message: { case: "heartbeat", value: {} },
                    sentAt: timestampFromMs(Date.now()),
                  });
              }
            }
          } finally {
            group.delete(listener);
          }
        },
        getResource: (request) => details(request.ref?.kind ?? "", request.ref?.name ?? ""),
      });
    },
  };
}

function wrap(message: Message): WatchEnvironmentResponse {
  return create(WatchEnvironmentResponseSchema, { message, sentAt: timestampFromMs(Date.now()) });
}

function opening(name: string, worlds: Map<string, World>): Message[] {
  const problem = PROBLEMS[name];
  if (problem !== undefined) return [{ case: "problem", value: problem }];
  if (name === "loading") return [];
  const nowMs = Date.now();
  const size = /^load-(\d+)$/.exec(name)?.[1];
  const world =
    worlds.get(name) ??
    (size !== undefined ? seedLarge(nowMs, Number(size)) : name === "empty" ? new World("shop-qa", nowMs) : seedMixed(nowMs));
  worlds.set(name, world);
  const offline = name === "offline";
  const partial = name === "production";
  const snapshot = create(SnapshotSchema, {
    environment: environment(name),
    viewer: VIEWER,
    nodes: [...world.nodes.values()],
    edges: [...world.edges.values()],
    health: rollUp(world, partial),
    sources: sources(partial),
    connection: create(ConnectionSchema, {
      state: offline ? ConnectionState.AGENT_OFFLINE : ConnectionState.CONNECTED,
      since: timestampFromMs(nowMs - 4 * 60_000),
    }),
    complete: true,
    ...(name === "misconfigured"
      ? {
          configurationError: create(ConfigurationErrorSchema, {
            reason: "user_access.projects: expected a list",
            lastGoodCommit: "4f2c91e",
          }),
        }
      : {}),
    ...(name === "empty" ? { empty: EMPTY } : {}),
  });
  return [{ case: "snapshot", value: snapshot }];
}

const LINK = "https://main.example.com/help/agent/troubleshooting";
const EMPTY = create(ProblemSchema, {
  message: `There are no resources found for the environment. Do resources have Binnacle preserved labels? See ${LINK}`,
  detail: "Scope: namespace shop-qa",
  link: LINK,
});

const PROBLEMS: Readonly<Record<string, Problem>> = {
  "payments-vault": create(ProblemSchema, {
    kind: ProblemKind.AGENT_FORBIDDEN,
    message: `You don't have access to an agent that deployed to this environment. Please contact agent administrator if you are allowed in "user_access" in agent config file. See ${LINK}`,
    detail: "Agent vault-eu, project harbor/storefront, you are mara",
    link: LINK,
  }),
  docs: create(ProblemSchema, { kind: ProblemKind.NO_AGENT, message: "No Kubernetes agent is connected to this environment." }),
  nowhere: create(ProblemSchema, { kind: ProblemKind.NOT_FOUND, message: "There is no such environment, or you may not see it." }),
};

function environment(name: string): Environment {
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
  });
}

function sources(partial: boolean): Snapshot["sources"] {
  const live = ["pods", "deployments", "services"].map((resource) =>
    create(SourceSchema, { resource, version: "v1", namespace: "shop-prod", state: SourceState.LIVE }),
  );
  if (!partial) return live;
  const forbidden = create(SourceSchema, {
    resource: "secrets",
    kind: "Secret",
    version: "v1",
    namespace: "shop-prod",
    state: SourceState.FORBIDDEN,
    message: 'secrets is forbidden: User "gitlab:user:mara" cannot list resource "secrets" in API group "" in the namespace "shop-prod"',
    countsForHealth: true,
  });
  return [...live, forbidden];
}

function rollUp(world: World, partial: boolean): EnvironmentHealth {
  const counts = new Map<HealthStatus, number>();
  const roots = [...world.nodes.values()].filter((node) => node.ownerId === "" && node.health !== undefined);
  for (const node of roots) counts.set(node.health?.status ?? 0, (counts.get(node.health?.status ?? 0) ?? 0) + 1);
  const worst = roots.toSorted((left, right) => (right.health?.status ?? 0) - (left.health?.status ?? 0));
  const causes = worst
    .filter((node) => (node.health?.status ?? 0) > HealthStatus.SUSPENDED)
    .slice(0, 5)
    .map((node) => ({
      nodeId: node.id,
      ...(node.ref === undefined ? {} : { ref: node.ref }),
      status: node.health?.status ?? 0,
      reason: node.health?.reason ?? "",
      message: node.health?.message ?? "",
      ...(node.health?.since === undefined ? {} : { since: node.health.since }),
      ...(node.health?.why === undefined ? {} : { why: node.health.why }),
    }));
  return create(EnvironmentHealthSchema, {
    status: worst[0]?.health?.status ?? HealthStatus.UNSPECIFIED,
    partial,
    reason: causes[0]?.reason ?? "",
    message: causes[0]?.message ?? "",
    counts: [...counts].map(([status, count]) => ({ status, count })),
    causes,
    hidden: partial ? ["secrets"] : [],
  });
}

function indexRows(): EnvironmentRow[] {
  const nowMs = Date.now();
  const row = (name: string, init: Partial<EnvironmentRow> & { readonly status?: HealthStatus }): EnvironmentRow => {
    const world = seedMixed(nowMs);
    const health =
      init.status === undefined
        ? undefined
        : create(EnvironmentHealthSchema, {
            ...rollUp(world, name === "production"),
            status: init.status,
            ...(init.status === HealthStatus.HEALTHY ? { reason: "", causes: [] } : {}),
          });
    return create(EnvironmentRowSchema, {
      environment: environment(name),
      connection: create(ConnectionSchema, { state: ConnectionState.CONNECTED, since: timestampFromMs(nowMs - 3_600_000) }),
      workloads: 9,
      workloadsReady: init.status === HealthStatus.HEALTHY ? 9 : 6,
      lastChange: timestampFromMs(nowMs - 40_000),
      asOf: timestampFromMs(nowMs),
      ...(health === undefined ? {} : { health }),
      ...init,
    });
  };
  const problem = PROBLEMS["payments-vault"];
  return [
    row("production", { status: HealthStatus.DEGRADED }),
    row("staging", { status: HealthStatus.PROGRESSING }),
    row("integration", { status: HealthStatus.HEALTHY }),
    row("review/1184-cart", { status: HealthStatus.HEALTHY }),
    row("offline", {
      status: HealthStatus.UNKNOWN,
      connection: create(ConnectionSchema, { state: ConnectionState.AGENT_OFFLINE, since: timestampFromMs(nowMs - 21 * 60_000) }),
      asOf: timestampFromMs(nowMs - 21 * 60_000),
    }),
    row("payments-vault", problem === undefined ? {} : { problem }),
  ];
}

function details(kind: string, name: string): GetResourceResponse {
  const nowMs = Date.now();
  return create(GetResourceResponseSchema, {
    yaml: `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: shop-prod\nspec:\n  replicas: 5\n`,
    conditions: [
      {
        type: "Available",
        status: "False",
        reason: "MinimumReplicasUnavailable",
        message: "Deployment does not have minimum availability.",
        since: timestampFromMs(nowMs - 240_000),
      },
      {
        type: "Progressing",
        status: "True",
        reason: "ReplicaSetUpdated",
        message: "ReplicaSet is progressing.",
        since: timestampFromMs(nowMs - 300_000),
      },
    ].map((condition) => ({ $typeName: "dashboard.v1.Condition" as const, ...condition })),
    events: [
      { type: "Warning", reason: "Failed", message: 'Error: configmap "checkout-flags" not found', count: 12 },
      { type: "Normal", reason: "Pulled", message: 'Image "shop/api:3.14.0" pulled in 1.8 s', count: 1 },
    ].map((event) => ({
      $typeName: "dashboard.v1.ResourceEvent" as const,
      source: "kubelet",
      firstAt: timestampFromMs(nowMs - 300_000),
      lastAt: timestampFromMs(nowMs - 20_000),
      ...event,
    })),
    eventsProblem: "",
    labels: { app: name, "app.kubernetes.io/part-of": "shop" },
    annotations: {},
  });
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
