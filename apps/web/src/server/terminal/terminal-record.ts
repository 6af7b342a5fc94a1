import { randomUUID } from "node:crypto";

import type { AuditRecord } from "@binnacle/telemetry/audit";

import { recordEvent, type AuditedBy, type AuditContext } from "../audit/audit-sink.ts";
import type { TerminalClaims } from "./terminal-tickets.ts";

/** The outcome of a terminal. */
export interface TerminalOutcome {
  readonly outcome: string;
  readonly exitCode: number | undefined;
  /** The program that ran; empty: none did. */
  readonly program: string;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The two records of one terminal: what was typed and written is in neither. */
export class TerminalRecord {
  readonly #add: (fields: Pick<AuditRecord, "event"> & Partial<AuditRecord>, program?: string) => void;

  constructor(
    context: AuditContext,
    { by, claims, recorded }: { readonly by: AuditedBy; readonly claims: TerminalClaims; readonly recorded: boolean },
  ) {
    const { namespace, pod, container, projectPath, environment } = claims;
    const requestId = randomUUID();
    const purpose = { action: "terminal", project_path: projectPath, environment, cluster: by.actor.cluster };
    this.#add = (fields, program) => {
      const of = { apiGroup: "", resource: "pods", subresource: "exec", namespace, name: pod, container };
      const action = { verb: "connect", ...of, ...(program !== undefined && { program }) };
      recordEvent(context, by, { requestId, purpose, isRecorded: recorded, ...fields, action });
    };
  }

  begun(): void {
    this.#add({ event: "start" });
  }

  ended({ outcome, exitCode, program, bytesIn, bytesOut }: TerminalOutcome, durationMs: number): void {
    const code = exitCode === undefined ? {} : { exitCode };
    this.#add({ event: "end", outcome, ...code, bytesIn, bytesOut, durationMs: Math.round(durationMs) }, program);
  }
}
