import type { ByteBudget } from "@binnacle/environment-view";
import type { Expressions } from "@binnacle/pod-logs/expressions";
import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { ViewerActs } from "./authors/viewer-acts.ts";
import type { AuditSink } from "./audit/audit-sink.ts";
import type { Features } from "./config/features.ts";
import type { AgentAbsences } from "./kas/agent-absences.ts";
import type { AgentRecord, EnvironmentRecord } from "./main-application/environment-query.ts";
import { KasAccess } from "./kas/kas-access.ts";
import type { GitopsSyncs } from "./syncs/gitops-syncs.ts";
import type { DeliveryJournal } from "./delivery/delivery-journal.ts";
import type { ManifestFiles } from "./manifest/manifest-files.ts";
import type { RefusalsByAgent } from "./base/remembered-refusal.ts";
import type { HttpDialer } from "./http/http-dialer.ts";
import type { LastPictures } from "./shared-views/last-pictures.ts";
import type { TeamFiles } from "./team-file/team-files.ts";
import type { Wording } from "./environment/problem.ts";
import type { SummaryRegistry } from "./index/summary-registry.ts";
import type { ViewRegistry } from "./shared-views/view-registry.ts";
import type { MetricsSources } from "./workload-metrics/metrics-sources.ts";
import type { ViewerAccess } from "./main-application/viewer-access.ts";

/** What every call of the BFF works with. */
export interface BffContext {
  readonly clock: Clock;
  readonly log: Logger;
  /** Where what viewers do is recorded. */
  readonly audit: AuditSink;
  /** What viewers have changed, for the journal. */
  readonly acts: ViewerActs;
  readonly registry: ViewRegistry;
  readonly summaries: SummaryRegistry;
  /** What environments showed last. */
  readonly pictures: LastPictures;
  /** Since when agents are away. */
  readonly absences: AgentAbsences;
  /** Agents that read no logs. */
  readonly withoutLogs: RefusalsByAgent;
  /** Runs expressions that logs are searched with. */
  readonly expressions: Expressions;
  /** What teams say of their environments. */
  readonly teamFiles: TeamFiles;
  /** What agents apply from Git. */
  readonly gitops: GitopsSyncs;
  /** Deployments and syncs since pages were opened. */
  readonly deliveries: DeliveryJournal;
  /** Files that agents apply from. */
  readonly manifestFiles: ManifestFiles;
  /** Who is asked for figures of workloads. */
  readonly metrics: MetricsSources;
  /** What the operator allows viewers to do. */
  readonly features: Features;
  readonly kasDialer: HttpDialer;
  /** What answers of all clusters may hold while they are read. */
  readonly reading: ByteBudget;
  readonly wording: Wording;
  /** The main application is asked again for what an open page shows this often, in milliseconds. */
  readonly mainApplicationPollMs: number;
  /** Address of the main application's sign-in that leads back to a path of the dashboard. */
  readonly signInUrl: (returnPath: string) => string;
}

/** An environment that has an agent. */
export type ConnectedEnvironment = EnvironmentRecord & { readonly agent: AgentRecord };

/** Whether an agent is set on it. */
export function hasAgent(environment: EnvironmentRecord): environment is ConnectedEnvironment {
  return environment.agent !== undefined;
}

/** The viewer's way to the environment's agent. */
export function openKasAccess(context: BffContext, viewer: ViewerAccess, environment: ConnectedEnvironment): KasAccess {
  return new KasAccess(viewer, environment, { dialer: context.kasDialer, reading: context.reading, absences: context.absences });
}
