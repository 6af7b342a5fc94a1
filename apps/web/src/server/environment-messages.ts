import type { ViewMessage } from "@binnacle/environment-view";
import {
  ConfigurationErrorSchema,
  ConnectionSchema,
  ConnectionState,
  DeltaSchema,
  EnvironmentSchema,
  HeartbeatSchema,
  SnapshotSchema,
  ViewerSchema,
  WatchEnvironmentResponseSchema,
  type ConfigurationError,
  type Environment,
  type Problem,
  type Viewer,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

import type { ClusterIdentity } from "./cluster-identity.ts";
import type { EnvironmentRecord, MainViewer } from "./environment-query.ts";
import type { ConfigurationProblem } from "./kas-access.ts";
import { noResources, type Wording } from "./problem.ts";
import { toConnection, toDelta, toEdge, toEnvironmentHealth, toNode, toSource } from "./to-proto.ts";
import { toTimestamp } from "./wire-fields.ts";

/** Whose stream the messages belong to. */
export interface MessageScope {
  readonly environment: EnvironmentRecord;
  readonly viewer: MainViewer;
  readonly identity: ClusterIdentity | undefined;
  readonly wording: Wording;
}

/** The messages of one viewer's stream, in order: it remembers what an empty or misconfigured view needs to know. */
export class EnvironmentMessages {
  readonly #scope: MessageScope;
  readonly #now: () => number;
  readonly #neverConnected: boolean;
  readonly #nodeIds = new Set<string>();
  #complete = false;
  #configuration: ConfigurationProblem | undefined;

  constructor(scope: MessageScope, now: () => number) {
    this.#scope = scope;
    this.#now = now;
    this.#neverConnected = scope.environment.agent?.connectedAt === undefined;
  }

  /** The stream is alive. */
  heartbeat(): WatchEnvironmentResponse {
    return this.#message({ case: "heartbeat", value: create(HeartbeatSchema) });
  }

  /** Before anything is known of the cluster. */
  waiting(state: { readonly offline: boolean; readonly sinceMs: number; readonly message: string }): WatchEnvironmentResponse {
    const away = this.#neverConnected ? ConnectionState.AGENT_NEVER_CONNECTED : ConnectionState.AGENT_OFFLINE;
    const connection = create(ConnectionSchema, {
      state: state.offline ? away : ConnectionState.CONNECTING,
      since: timestampFromMs(state.sinceMs),
      message: state.message,
    });
    return this.#message({ case: "snapshot", value: create(SnapshotSchema, { ...this.#header(), connection }) });
  }

  /** A message of the view, with what this viewer's kas says about the agent's configuration. */
  of(message: ViewMessage, configuration: ConfigurationProblem | undefined): WatchEnvironmentResponse {
    const wasEmpty = this.#isEmpty();
    if (message.kind === "snapshot") {
      this.#nodeIds.clear();
      for (const node of message.nodes) this.#nodeIds.add(node.id);
      this.#complete = message.complete;
      this.#configuration = configuration;
      const value = create(SnapshotSchema, {
        ...this.#header(),
        nodes: message.nodes.map(toNode),
        edges: message.edges.map(toEdge),
        health: toEnvironmentHealth(message.health),
        sources: message.sources.map(toSource),
        connection: toConnection(message.connection, this.#neverConnected),
        complete: message.complete,
        ...(configuration === undefined ? {} : { configurationError: toConfigurationError(configuration) }),
        ...(this.#isEmpty() ? { empty: this.#empty() } : {}),
      });
      return this.#message({ case: "snapshot", value });
    }
    for (const node of message.upsertedNodes) this.#nodeIds.add(node.id);
    for (const id of message.removedNodes) this.#nodeIds.delete(id);
    if (message.complete !== undefined) this.#complete = message.complete;
    const delta = toDelta(message, this.#neverConnected);
    Object.assign(delta, this.#configurationChange(configuration));
    if (!wasEmpty && this.#isEmpty()) delta.empty = this.#empty();
    return this.#message({ case: "delta", value: delta });
  }

  /** Only the configuration error has changed; `undefined` when it has not. */
  configurationChange(configuration: ConfigurationProblem | undefined): WatchEnvironmentResponse | undefined {
    const change = this.#configurationChange(configuration);
    return Object.keys(change).length === 0 ? undefined : this.#message({ case: "delta", value: create(DeltaSchema, change) });
  }

  #configurationChange(now: ConfigurationProblem | undefined): {
    configurationError?: ConfigurationError;
    configurationErrorCleared?: boolean;
  } {
    const before = this.#configuration;
    this.#configuration = now;
    if (now === undefined) return before === undefined ? {} : { configurationErrorCleared: true };
    const same = before?.reason === now.reason && before.lastGoodCommit === now.lastGoodCommit;
    return same ? {} : { configurationError: toConfigurationError(now) };
  }

  #isEmpty(): boolean {
    return this.#complete && this.#nodeIds.size === 0;
  }

  #empty(): Problem {
    return noResources(this.#scope.wording, this.#scope.environment);
  }

  #header(): { environment: Environment; viewer: Viewer } {
    const { environment, viewer, identity } = this.#scope;
    return { environment: toEnvironment(environment), viewer: toViewer(viewer, identity) };
  }

  #message(message: WatchEnvironmentResponse["message"]): WatchEnvironmentResponse {
    return create(WatchEnvironmentResponseSchema, { sentAt: timestampFromMs(this.#now()), message });
  }
}

/** An environment for the wire. */
export function toEnvironment(environment: EnvironmentRecord): Environment {
  const connectedAt = toTimestamp(environment.agent?.connectedAt);
  return create(EnvironmentSchema, {
    projectPath: environment.projectPath,
    name: environment.name,
    slug: environment.slug,
    tier: environment.tier,
    state: environment.state,
    externalUrl: environment.externalUrl,
    namespace: environment.namespace,
    agentId: environment.agent?.id ?? 0n,
    agentName: environment.agent?.name ?? "",
    agentProjectPath: environment.agent?.projectPath ?? "",
    ...(connectedAt === undefined ? {} : { agentConnectedAt: connectedAt }),
  });
}

/** A viewer for the wire. */
export function toViewer(viewer: MainViewer, identity: ClusterIdentity | undefined): Viewer {
  return create(ViewerSchema, {
    username: viewer.username,
    name: viewer.name,
    clusterUsername: identity?.username ?? "",
    clusterGroups: [...(identity?.groups ?? [])],
  });
}

function toConfigurationError({ reason, lastGoodCommit }: ConfigurationProblem): ConfigurationError {
  return create(ConfigurationErrorSchema, { reason, lastGoodCommit });
}
