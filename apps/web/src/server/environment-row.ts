import type { ViewConnection, ViewEnvironmentHealth, ViewMessage, ViewNode } from "@binnacle/environment-view";
import { EnvironmentRowSchema, type EnvironmentRow, type Problem } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

import { toEnvironment } from "./environment-messages.ts";
import type { EnvironmentRecord } from "./environment-query.ts";
import { toConnection, toEnvironmentHealth } from "./to-proto.ts";

/** Kinds counted as workloads. */
const WORKLOADS: ReadonlySet<string> = new Set(["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet"]);

interface Counted {
  readonly workload: boolean;
  readonly ready: boolean;
  readonly changedMs: number;
}

/** What the index knows of one environment, kept small: of every node only what is counted. */
export class EnvironmentRowState {
  readonly environment: EnvironmentRecord;
  readonly #counted = new Map<string, Counted>();
  #health: ViewEnvironmentHealth | undefined;
  #connection: ViewConnection | undefined;
  #problem: Problem | undefined;
  #complete = false;
  #asOfMs: number | undefined;

  constructor(environment: EnvironmentRecord) {
    this.environment = environment;
  }

  /** Takes in a message of the view. */
  apply(message: ViewMessage, nowMs: number): void {
    this.#problem = undefined;
    if (message.kind === "snapshot") this.#counted.clear();
    for (const node of message.kind === "snapshot" ? message.nodes : message.upsertedNodes) this.#counted.set(node.id, count(node));
    for (const id of message.kind === "snapshot" ? [] : message.removedNodes) this.#counted.delete(id);
    this.#health = message.health ?? this.#health;
    this.#connection = message.connection ?? this.#connection;
    this.#complete = message.complete ?? this.#complete;
    if (this.#connection?.state === "connected") this.#asOfMs = nowMs;
  }

  /** Why the row has no numbers. */
  fail(problem: Problem): void {
    this.#problem = problem;
  }

  /** The agent does not answer before anything is known. */
  offline(sinceMs: number, message: string): void {
    this.#connection = { state: "agent_offline", sinceMs, message };
  }

  /** The row for the wire. */
  toRow(): EnvironmentRow {
    let workloads = 0;
    let ready = 0;
    let changedMs = 0;
    for (const node of this.#counted.values()) {
      changedMs = Math.max(changedMs, node.changedMs);
      if (!node.workload) continue;
      workloads += 1;
      if (node.ready) ready += 1;
    }
    const neverConnected = this.environment.agent?.connectedAt === undefined;
    return create(EnvironmentRowSchema, {
      environment: toEnvironment(this.environment),
      // Half of the kinds say nothing about the whole.
      ...(this.#health && this.#complete && !this.#problem ? { health: toEnvironmentHealth(this.#health) } : {}),
      ...(this.#connection ? { connection: toConnection(this.#connection, neverConnected) } : {}),
      ...(this.#problem ? { problem: this.#problem } : {}),
      workloads,
      workloadsReady: ready,
      ...(changedMs > 0 ? { lastChange: timestampFromMs(changedMs) } : {}),
      ...(this.#asOfMs === undefined ? {} : { asOf: timestampFromMs(this.#asOfMs) }),
    });
  }
}

function count(node: ViewNode): Counted {
  const workload = node.presence === "present" && WORKLOADS.has(`${node.ref.group}/${node.ref.kind}`);
  const times = [node.createdAt, node.health?.since, node.deletingSince].map((time) =>
    time === undefined ? Number.NaN : Date.parse(time),
  );
  return {
    workload,
    ready: workload && node.ready >= node.wanted,
    changedMs: Math.max(0, ...times.filter((time) => !Number.isNaN(time))),
  };
}
