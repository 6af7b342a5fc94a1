import { timestampOf, type ViewDelta, type ViewMessage } from "@binnacle/environment-view";
import {
  ConfigurationErrorSchema,
  DeltaSchema,
  EnvironmentSchema,
  HeaderSchema,
  HeartbeatSchema,
  PageLinkSchema,
  SnapshotSchema,
  ViewPositionSchema,
  ViewerSchema,
  WatchEnvironmentResponseSchema,
  type ConfigurationError,
  type Delivery,
  type Delta,
  type Environment,
  type Problem,
  type Snapshot,
  type ViewPosition,
  type Viewer,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { timeField, toTimestamp } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import type { ClusterIdentity } from "../kas/cluster-identity.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import type { ConfigurationProblem } from "../kas/kas-access.ts";
import type { NoteBlock } from "../wire/outgoing-blocks.ts";
import { noResources, type Wording } from "./problem.ts";
import { putChange, putContent } from "../wire/shared-block.ts";
import { scopeId, scopeWords } from "../team-file/scope-words.ts";
import { scopeOf } from "../main-application/scope-of.ts";
import { toConnection, toSource, type KnownConnection } from "../wire/to-proto.ts";

/** Whose stream the messages belong to. */
export interface MessageScope {
  readonly environment: EnvironmentRecord;
  readonly viewer: MainViewer;
  readonly identity: ClusterIdentity | undefined;
  readonly wording: Wording;
  /** Whether the operator allows terminals in it. Absent: not. */
  readonly terminal?: boolean;
  /** Absent: messages hold their fields, not bytes that others are sent too. */
  readonly noteBlock?: NoteBlock | undefined;
}

/** The messages of one viewer's stream, in order: it remembers what an empty or misconfigured view needs to know. */
export class EnvironmentMessages {
  readonly #scope: MessageScope;
  readonly #now: () => number;
  readonly #neverConnected: boolean;
  readonly #view: string;
  /** Whether the browser has received that the environment is empty; `undefined`: by another stream, if at all. */
  #isEmpty: boolean | undefined;
  /** `null`: nothing was sent yet. */
  #configuration: ConfigurationProblem | undefined | null = null;

  /** @param view names the view of which snapshots and deltas are sent */
  constructor(scope: MessageScope, now: () => number, view = "") {
    this.#scope = scope;
    this.#now = now;
    this.#view = view;
    this.#neverConnected = scope.environment.agent?.lastSeenAt === undefined;
  }

  /** The stream is alive. */
  heartbeat(): WatchEnvironmentResponse {
    return this.#message({ case: "heartbeat", value: create(HeartbeatSchema) });
  }

  /** Whose view it is. @param delivery as far as it is known already */
  header(delivery: Delivery): WatchEnvironmentResponse {
    const { environment, viewer, identity, terminal = false } = this.#scope;
    const notices = (environment.team?.notices ?? []).map(toWordsMessage);
    const views = (environment.team?.views ?? []).map((view) => create(PageLinkSchema, view));
    const value = create(HeaderSchema, {
      environment: { ...toEnvironment(environment, delivery), terminal },
      viewer: toViewer(viewer, identity),
      notices,
      views,
    });
    return this.#message({ case: "header", value });
  }

  /** Delivery has changed. */
  delivered(delivery: Delivery): WatchEnvironmentResponse {
    return this.#message({ case: "delivery", value: delivery });
  }

  /** Nothing is known of the cluster yet, and why: never a snapshot, for what the browser has is better than nothing. */
  waiting(connection: KnownConnection): WatchEnvironmentResponse {
    return this.#message({ case: "connection", value: toConnection(connection, this.#neverConnected) });
  }

  /** What this identity saw last, while nothing is known of the cluster: from its time, and never as something that is followed. */
  lastPicture(picture: Snapshot, connection: KnownConnection): WatchEnvironmentResponse {
    const rest = picture.nodes.length === 0 ? { empty: this.#empty() } : {};
    const value = create(SnapshotSchema, { ...picture, ...rest, connection: toConnection(connection, this.#neverConnected) });
    return this.#message({ case: "snapshot", value });
  }

  /** A message of the view, with what this viewer's kas says about the agent's configuration. */
  of(message: ViewMessage, configuration: ConfigurationProblem | undefined): WatchEnvironmentResponse {
    const wasEmpty = this.#isEmpty;
    this.#isEmpty = message.isEmpty;
    const position = create(ViewPositionSchema, { view: this.#view, version: BigInt(message.version) });
    if (message.kind === "snapshot") {
      this.#configuration = configuration;
      const value = create(SnapshotSchema, {
        health: message.health,
        connection: toConnection(message.connection, this.#neverConnected),
        complete: message.complete,
        ...(configuration === undefined ? {} : { configurationError: toConfigurationError(configuration) }),
        ...(message.isEmpty ? { empty: this.#empty() } : {}),
      });
      return this.#message({ case: "snapshot", value: putContent(value, message, this.#scope.noteBlock) }, position);
    }
    const delta = this.#delta(message);
    Object.assign(delta, this.#configurationChange(configuration));
    if (wasEmpty !== true && message.isEmpty) delta.empty = this.#empty();
    return this.#message({ case: "delta", value: delta }, position);
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

  #delta(delta: ViewDelta): Delta {
    const { removedNodes, removedEdges, upsertedSources, removedSources, health, connection, complete = false } = delta;
    const message = create(DeltaSchema, {
      removedNodes: [...removedNodes],
      removedEdges: [...removedEdges],
      upsertedSources: upsertedSources.map(toSource),
      removedSources: [...removedSources],
      ...(health === undefined ? {} : { health }),
      ...(connection === undefined ? {} : { connection: toConnection(connection, this.#neverConnected) }),
      complete,
    });
    return putChange(message, delta, this.#scope.noteBlock);
  }

  #empty(): Problem {
    return noResources(this.#scope.wording, this.#scope.environment);
  }

  #message(message: WatchEnvironmentResponse["message"], position?: ViewPosition): WatchEnvironmentResponse {
    const sentAt = toTimestamp(this.#now());
    return create(WatchEnvironmentResponseSchema, { sentAt, message, ...(position === undefined ? {} : { position }) });
  }
}

/** Converts an environment. */
export function toEnvironment(environment: EnvironmentRecord, delivery: Delivery): Environment {
  const connectedAt = timestampOf(environment.agent?.connectedAt);
  const { scope, rules } = environment.team ?? {};
  return create(EnvironmentSchema, {
    projectPath: environment.projectPath,
    name: environment.name,
    slug: environment.slug,
    tier: environment.tier,
    state: environment.state,
    ...timeField("autoStopAt", environment.autoStopAtMs),
    externalUrl: environment.externalUrl,
    namespace: environment.namespace,
    agentId: environment.agent?.id ?? 0n,
    agentName: environment.agent?.name ?? "",
    agentProjectPath: environment.agent?.projectPath ?? "",
    ...(connectedAt === undefined ? {} : { agentConnectedAt: connectedAt }),
    ...(scope === undefined ? {} : { scope: toWordsMessage(scopeWords(scope)) }),
    ...(scope === undefined && rules === undefined ? {} : { scopeId: scopeId(scopeOf(environment)) }),
    delivery,
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
