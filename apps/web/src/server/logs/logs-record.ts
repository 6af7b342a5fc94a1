import { randomUUID } from "node:crypto";

import type { ResourceRef } from "@binnacle/proto/dashboard";
import type { ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import type { AuditRecord } from "@binnacle/telemetry/audit";

import { recordEvent, type AuditContext } from "../audit/audit-sink.ts";
import type { OpenEnvironment } from "../environment/open-environment.ts";
import type { ClusterIdentity } from "../kas/cluster-identity.ts";

/** As many resources are named in a record; the number of all is in it. */
const MAX_NAMED = 20;

/** The two records of one read of logs: of whom, of which resources, and how much. What was looked for and what was read is in neither. */
export class LogsRecord {
  readonly #add: (fields: Pick<AuditRecord, "event"> & Partial<AuditRecord>) => void;
  readonly #startedMs: number;
  readonly #clock: AuditContext["clock"];
  #bytes = 0;

  constructor(
    context: AuditContext,
    { environment, viewer, access }: OpenEnvironment,
    of: { readonly refs: readonly ResourceRef[]; readonly identity: ClusterIdentity | undefined },
  ) {
    const { refs, identity } = of;
    const [first] = refs;
    const named = refs.slice(0, MAX_NAMED).map(({ resource, namespace, name }) => `${resource}/${namespace}/${name}`);
    const cluster = environment.agent.name;
    const by = { actor: { viewer: viewer.username, clusterUser: identity?.username ?? "", cluster }, agentId: access.agentId };
    const action = {
      verb: "get",
      apiGroup: first?.group ?? "",
      resource: first?.resource ?? "pods",
      subresource: "log",
      ...(refs.length === 1 && first && { namespace: first.namespace, name: first.name }),
    };
    const purpose = {
      action: "logs",
      project_path: environment.projectPath,
      environment: environment.name,
      cluster,
      ...(refs.length > 1 && { resources: named.join(" "), count: String(refs.length) }),
    };
    const requestId = randomUUID();
    this.#clock = context.clock;
    this.#startedMs = context.clock.now();
    this.#add = (fields) => recordEvent(context, by, { requestId, action, purpose, ...fields });
    this.#add({ event: "start" });
  }

  sent({ message }: ReadLogsResponse): void {
    if (message.case === "lines") for (const { text } of message.value.lines) this.#bytes += text.length;
  }

  ended(outcome: "ended" | "client_left" | "failed"): void {
    this.#add({ event: "end", outcome, bytesOut: this.#bytes, durationMs: Math.round(this.#clock.now() - this.#startedMs) });
  }
}
