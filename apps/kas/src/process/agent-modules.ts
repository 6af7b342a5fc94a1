import type { ConnectRouter } from "@connectrpc/connect";
import type { Logger } from "@binnacle/telemetry";

import type { PushNotices } from "../gitaly/push-notices.ts";
import { reconcileProjects } from "../flux/reconcile-projects.ts";
import { gitlabAccess } from "../gitlab-access/gitlab-access.ts";
import type { KasParts } from "./kas-parts.ts";
import type { MinuteCounter } from "../limits/minute-counter.ts";

/** What the services need beside the parts of kas. */
export interface AgentModulesInput {
  readonly parts: KasParts;
  readonly pushes: PushNotices;
  readonly counter: MinuteCounter;
  readonly log: Logger;
  /** A stream ends after this. */
  readonly maxAgeMs: number;
}

/** What modules of Go agents ask kas for: the main application, and pushes for Flux. */
export function agentModules({ parts, pushes, counter, log, maxAgeMs }: AgentModulesInput): (router: ConnectRouter) => void {
  const { ledger, audit, clock } = parts;
  const { client, authenticator, projects } = parts.provider;
  // Both are about the main application's API: without one they are not implemented.
  if (client === undefined) return () => {};
  const access = gitlabAccess({ mainApplication: client, ledger, counter, audit, clock, log });
  const flux = reconcileProjects({ authenticator, projects, pushes, clock, log, maxAgeMs });
  return (router) => {
    access(router);
    flux(router);
  };
}
