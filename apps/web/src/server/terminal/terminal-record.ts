import { randomUUID } from "node:crypto";

import type { Actor } from "@binnacle/environment-view";
import type { Logger } from "@binnacle/telemetry";

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

/** The two lines of the log about one terminal, with the fields of an action's: what was typed and written is in neither. */
export class TerminalRecord {
  readonly #log: Pick<Logger, "info">;
  readonly #fields: object;

  constructor(
    log: Pick<Logger, "info">,
    { actor, claims, recorded }: { readonly actor: Actor; readonly claims: TerminalClaims; readonly recorded: boolean },
  ) {
    const { namespace, pod, uid, container, projectPath, environment } = claims;
    this.#log = log;
    this.#fields = {
      action_id: randomUUID(),
      viewer: actor.viewer,
      cluster_user: actor.clusterUser,
      cluster: actor.cluster,
      verb: "create",
      group: "",
      version: "v1",
      resource: "pods",
      subresource: "exec",
      namespace,
      name: pod,
      required_uid: uid,
      container,
      recorded,
      purpose: { action: "terminal", project_path: projectPath, environment },
    };
  }

  begun(): void {
    this.#log.info(this.#fields, "terminal begun");
  }

  ended({ outcome, exitCode, program, bytesIn, bytesOut }: TerminalOutcome, durationMs: number): void {
    const code = exitCode === undefined ? {} : { exit_code: exitCode };
    const fields = { outcome, ...code, program, bytes_in: bytesIn, bytes_out: bytesOut, duration_ms: durationMs };
    this.#log.info({ ...this.#fields, ...fields }, "terminal ended");
  }
}
