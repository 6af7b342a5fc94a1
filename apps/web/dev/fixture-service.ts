import type { Expressions } from "@binnacle/pod-logs/expressions";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import {
  Dashboard,
  GitopsRight,
  HealthStatus,
  HeaderSchema,
  PageLinkSchema,
  SnapshotSchema,
  SummarizeProjectsResponseSchema,
  ViewerSchema,
  WatchEnvironmentResponseSchema,
  WatchEnvironmentsResponseSchema,
  type Topic,
  type WatchEnvironmentRequest,
  type WatchEnvironmentResponse,
  type WatchEnvironmentsRequest,
  type WatchResponse,
} from "@binnacle/proto/dashboard";
import { Logs } from "@binnacle/proto/dashboard-logs";
import { Overview } from "@binnacle/proto/dashboard-overview";
import { projectSummary } from "../src/server/projects/project-summary.ts";
import { mergeStreams } from "../src/server/topics/merge-streams.ts";
import { fixtureAct, fixturePreview, fixtureReview } from "./fixture-actions.ts";
import { fixtureEditor, fixtureSchema } from "./fixture-editor.ts";
import { fixtureComparison } from "./fixture-comparison.ts";
import { environmentOf, PROJECT, rollUp, sources } from "./fixture-environment.ts";
import { details } from "./fixture-details.ts";
import { fixtureEvents } from "./fixture-events.ts";
import { indexRows, manyEnvironments } from "./fixture-index.ts";
import { fixtureLogs } from "./fixture-logs.ts";
import { metricsOf } from "./fixture-metrics.ts";
import { fixtureDebugContainer, fixtureTerminal } from "./fixture-terminal.ts";
import { fixtureDistances, fixtureOverview } from "./fixture-overview.ts";
import { PROBLEMS } from "./fixture-problems.ts";
import { problemAfter, stateOf, UNREAD } from "./fixture-states.ts";
import type { Message } from "./fixture-message.ts";
import { summaryOf } from "./fixture-summary.ts";
import { seedLarge, seedMixed } from "./seed.ts";
import { seedStaging } from "./seed-staging.ts";
import { pause } from "./pause.ts";
import { World } from "./world.ts";
import { changeWorld, type WorldChange } from "./world-change.ts";

/** As a project's file gives them. */
const VIEWS = [
  { name: "Broken workloads", query: "view=list&kind=Deployment&problems=1" },
  { name: "Jobs of the night", query: "view=list&kind=Job" },
];
/** Its pods are in the world, and the viewer may not read it. */
const UNREADABLE_NODE = "node-9";
/** What happens after the page has its data does so then. */
const LATER_MS = 500;
const VIEWER = create(ViewerSchema, {
  username: "mara",
  name: "Mara Lindqvist",
  clusterUsername: "gitlab:user:mara",
  clusterGroups: ["gitlab:user", "gitlab:project_role:1:developer"],
});

type EnvironmentsInit = MessageInitShape<typeof WatchEnvironmentsResponseSchema>;

/** Makes the fixture say something new; `dev` only. */
export interface Control {
  /** Applies this to an open environment, and sends it to every open stream of it. */
  change(environment: string, change: WorldChange): void;
}

/** The dashboard service over made-up worlds; an environment's name decides its state. The gallery of components imports this file, too: no Node here. */
export function fixtureService(expressions: Expressions): { readonly routes: (router: ConnectRouter) => void; readonly control: Control } {
  const listeners = new Map<string, Set<(message: Message) => void>>();
  const worlds = new Map<string, World>();
  const control: Control = {
    change(environment, change) {
      const world = worlds.get(environment);
      if (world === undefined) return;
      const message: Message = { case: "delta", value: changeWorld(world, change) };
      for (const listener of listeners.get(environment) ?? []) listener(message);
    },
  };
  async function* environments(
    request: Pick<WatchEnvironmentsRequest, "projectPath">,
    signal: AbortSignal,
  ): AsyncGenerator<EnvironmentsInit> {
    if (request.projectPath === "signed/out") throw new ConnectError("no session", Code.Unauthenticated);
    if (request.projectPath === "harbor/many") {
      yield* manyEnvironments(VIEWER, signal);
      return;
    }
    const rows = request.projectPath === "empty/project" ? [] : indexRows();
    yield { rows, complete: true, viewer: VIEWER, sentAt: timestampFromMs(Date.now()) };
    while (!signal.aborted) {
      await pause(10_000, signal);
      yield { sentAt: timestampFromMs(Date.now()) };
    }
  }

  async function* environment(
    request: Pick<WatchEnvironmentRequest, "environment">,
    signal: AbortSignal,
  ): AsyncGenerator<WatchEnvironmentResponse> {
    const queue: Message[] = opening(request.environment, worlds);
    let wake = (): void => undefined;
    const listener = (message: Message): void => {
      queue.push(message);
      wake();
    };
    const group = listeners.get(request.environment) ?? new Set();
    listeners.set(request.environment, group.add(listener));
    const problemLater = problemAfter(request.environment);
    if (problemLater !== undefined) void pause(LATER_MS, signal).then(() => listener({ case: "problem", value: problemLater }));
    try {
      while (!signal.aborted) {
        const message = queue.shift();
        if (message !== undefined) yield wrap(message);
        else if (request.environment === "stale") await pause(3_600_000, signal);
        else {
          await Promise.race([pause(10_000, signal), new Promise<void>((resolve) => (wake = resolve))]);
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
  }

  async function* answers(topic: Topic["topic"], signal: AbortSignal): AsyncGenerator<WatchResponse["message"]> {
    if (topic.case === "environment") {
      for await (const value of environment(topic.value, signal)) yield { case: topic.case, value };
    } else if (topic.case === "environments") {
      for await (const value of environments(topic.value, signal)) {
        yield { case: topic.case, value: create(WatchEnvironmentsResponseSchema, value) };
      }
    } else if (topic.case === "events") {
      for await (const value of fixtureEvents(topic.value.environment, signal)) yield { case: topic.case, value };
    }
  }

  return {
    control,
    routes: (router) => {
      router.service(Logs, {
        readLogs: (request, { signal }) =>
          fixtureLogs(request, { world: worlds.get(request.environment) ?? seedOf(request.environment, Date.now()), expressions }, signal),
      });
      router.service(Overview, {
        watchOverview: ({ group }, { signal }) => fixtureOverview(group, VIEWER, signal),
        compareVersions: ({ pairs }) => ({ distances: fixtureDistances(pairs) }),
      });
      router.service(Dashboard, {
        listProjects: () => ({
          projects: [
            { fullPath: PROJECT, name: "storefront" },
            { fullPath: "group/app", name: "app" },
          ],
          viewer: VIEWER,
        }),
        watchEnvironments: (request, { signal }) => environments(request, signal),
        watchEnvironment: (request, { signal }) => environment(request, signal),
        async *watch({ topics }, { signal }) {
          const streams = topics.map(
            ({ topic }) =>
              (inner: AbortSignal) =>
                answers(topic, inner),
          );
          for await (const { index, value } of mergeStreams(streams, signal)) yield { topic: topics[index]?.id ?? 0, message: value };
        },
        async *summarizeEnvironment({ environment: name }) {
          yield summaryOf(opening(name, worlds));
        },
        async *summarizeProjects({ fullPaths }) {
          const rows = indexRows();
          const projects = fullPaths.map((fullPath) => projectSummary({ fullPath, rows, isDone: true }));
          yield create(SummarizeProjectsResponseSchema, { projects, sentAt: timestampFromMs(Date.now()) });
        },
        listHeldResources: () => ({
          resources: [...seedMixed(Date.now()).nodes.values()].flatMap(({ ref, health }) =>
            ref === undefined ? [] : [{ environment: "staging", ref, status: health?.status ?? HealthStatus.UNSPECIFIED }],
          ),
          unlisted: ["integration"],
          unlistedTotal: 1,
          environments: indexRows().map(({ environment: shown, health }) => ({
            name: shown?.name ?? "",
            ...(health && { status: health.status }),
          })),
        }),
        reviewGitops: () => ({ right: GitopsRight.ALLOWED }),
        reviewActions: fixtureReview,
        previewAction: fixturePreview,
        openEditor: fixtureEditor,
        getSchema: fixtureSchema,
        act: fixtureAct,
        openTerminal: fixtureTerminal,
        previewDebugContainer: fixtureDebugContainer,
        compareManifest: () => fixtureComparison(),
        getMetrics: metricsOf,
        getResource: ({ ref }) => {
          if (ref?.kind === "Node" && ref.name === UNREADABLE_NODE)
            throw new ConnectError(
              `nodes "${ref.name}" is forbidden: User "gitlab:user:mara" cannot get resource "nodes"`,
              Code.PermissionDenied,
            );
          return details(ref);
        },
        listNodePods: () => ({
          environments: [
            { name: "staging", pods: 3, notHealthy: 2, asOf: timestampFromMs(Date.now() - 6 * 60_000) },
            { name: "preview", pods: 0, asOf: timestampFromMs(Date.now()) },
            { name: "integration" },
          ],
        }),
      });
    },
  };
}

/** A message as the stream has it. */
export function wrap(message: Message): WatchEnvironmentResponse {
  return create(WatchEnvironmentResponseSchema, { message, sentAt: timestampFromMs(Date.now()) });
}

function seedOf(name: string, nowMs: number): World {
  if (name === "empty") return new World("shop-qa", nowMs);
  return name === "fits" ? seedStaging(nowMs) : seedMixed(nowMs);
}

/** What a stream of the environment begins with. */
export function opening(name: string, worlds: Map<string, World>): Message[] {
  const problem = PROBLEMS[name];
  if (problem !== undefined) return [{ case: "problem", value: problem }];
  if (name === "loading") return [];
  const nowMs = Date.now();
  const size = /^load-(\d+)$/.exec(name)?.[1];
  const world = worlds.get(name) ?? (size !== undefined ? seedLarge(nowMs, Number(size)) : seedOf(name, nowMs));
  worlds.set(name, world);
  const partial = name === "production";
  const unread = UNREAD.has(name);
  const snapshot = create(SnapshotSchema, {
    nodes: unread ? [] : [...world.nodes.values()],
    edges: unread ? [] : [...world.edges.values()],
    ...(unread ? {} : { health: rollUp(world, partial), sources: sources(partial) }),
    complete: true,
    ...stateOf(name, nowMs),
  });
  const header = create(HeaderSchema, {
    environment: environmentOf(name),
    viewer: VIEWER,
    views: VIEWS.map((view) => create(PageLinkSchema, view)),
  });
  return [
    { case: "header", value: header },
    { case: "snapshot", value: snapshot },
  ];
}
