// The numbers of dashboard.v1 without its messages: what only names them does not load a protobuf runtime.
// Written by scripts/enums/main.ts ("npm run gen").
import type { UnknownEnum } from "@bufbuild/protobuf";

/** dashboard.v1.HealthStatus */
export const HealthStatus = {
  UNSPECIFIED: 0,
  HEALTHY: 1,
  SUSPENDED: 2,
  PROGRESSING: 3,
  MISSING: 4,
  DEGRADED: 5,
  UNKNOWN: 6,
} as const;
/** dashboard.v1.HealthStatus */
export type HealthStatus = (typeof HealthStatus)[keyof typeof HealthStatus] | UnknownEnum;

/** dashboard.v1.Activity */
export const Activity = {
  UNSPECIFIED: 0,
  NOT_READY: 1,
  ROLLING_OUT: 2,
  STARTING: 3,
  WAITING: 4,
  DELETING: 5,
  RUNNING: 6,
  IN_PROGRESS: 7,
} as const;
/** dashboard.v1.Activity */
export type Activity = (typeof Activity)[keyof typeof Activity] | UnknownEnum;

/** dashboard.v1.Presence */
export const Presence = {
  UNSPECIFIED: 0,
  PRESENT: 1,
  MISSING: 2,
  NOT_VISIBLE: 3,
} as const;
/** dashboard.v1.Presence */
export type Presence = (typeof Presence)[keyof typeof Presence] | UnknownEnum;

/** dashboard.v1.SettledState */
export const SettledState = {
  UNSPECIFIED: 0,
  LIVE: 1,
  FORBIDDEN: 2,
  UNSERVED: 3,
  TRUNCATED: 4,
  ERROR: 5,
} as const;
/** dashboard.v1.SettledState */
export type SettledState = (typeof SettledState)[keyof typeof SettledState] | UnknownEnum;

/** dashboard.v1.StaleCause */
export const StaleCause = {
  UNSPECIFIED: 0,
  WAY: 1,
  ERROR: 2,
  SAMPLED: 3,
} as const;
/** dashboard.v1.StaleCause */
export type StaleCause = (typeof StaleCause)[keyof typeof StaleCause] | UnknownEnum;

/** dashboard.v1.ConnectionState */
export const ConnectionState = {
  UNSPECIFIED: 0,
  CONNECTING: 1,
  CONNECTED: 2,
  RECONNECTING: 3,
  AGENT_OFFLINE: 4,
  AGENT_NEVER_CONNECTED: 5,
  KAS_UNREACHABLE: 6,
  API_DOWN: 7,
} as const;
/** dashboard.v1.ConnectionState */
export type ConnectionState = (typeof ConnectionState)[keyof typeof ConnectionState] | UnknownEnum;

/** dashboard.v1.ProblemKind */
export const ProblemKind = {
  UNSPECIFIED: 0,
  AGENT_FORBIDDEN: 1,
  UNAUTHENTICATED: 2,
  NO_AGENT: 3,
  NOT_FOUND: 4,
  UNAVAILABLE: 5,
} as const;
/** dashboard.v1.ProblemKind */
export type ProblemKind = (typeof ProblemKind)[keyof typeof ProblemKind] | UnknownEnum;

/** dashboard.v1.WhyLevel */
export const WhyLevel = {
  UNSPECIFIED: 0,
  RESOURCE: 1,
  CONTAINER: 2,
  EVENT: 3,
  REFERENCE: 4,
} as const;
/** dashboard.v1.WhyLevel */
export type WhyLevel = (typeof WhyLevel)[keyof typeof WhyLevel] | UnknownEnum;

/** dashboard.v1.DeploymentSource */
export const DeploymentSource = {
  UNSPECIFIED: 0,
  CI: 1,
  GITOPS: 2,
} as const;
/** dashboard.v1.DeploymentSource */
export type DeploymentSource = (typeof DeploymentSource)[keyof typeof DeploymentSource] | UnknownEnum;

/** dashboard.v1.GitopsState */
export const GitopsState = {
  UNSPECIFIED: 0,
  APPLYING: 1,
  SYNCED: 2,
  FAILED: 3,
  INVALID: 4,
  PAUSED: 5,
  TRIED: 6,
  INTERRUPTED: 7,
  OUT_OF_SYNC: 8,
} as const;
/** dashboard.v1.GitopsState */
export type GitopsState = (typeof GitopsState)[keyof typeof GitopsState] | UnknownEnum;

/** dashboard.v1.GitopsSourceProblem */
export const GitopsSourceProblem = {
  UNSPECIFIED: 0,
  NO_COMMIT: 1,
  UNREADABLE: 2,
} as const;
/** dashboard.v1.GitopsSourceProblem */
export type GitopsSourceProblem = (typeof GitopsSourceProblem)[keyof typeof GitopsSourceProblem] | UnknownEnum;

/** dashboard.v1.GitopsTool */
export const GitopsTool = {
  UNSPECIFIED: 0,
  FLUX_KUSTOMIZATION: 1,
  FLUX_HELM_RELEASE: 2,
  ARGO_CD_APPLICATION: 3,
} as const;
/** dashboard.v1.GitopsTool */
export type GitopsTool = (typeof GitopsTool)[keyof typeof GitopsTool] | UnknownEnum;

/** dashboard.v1.DeliveryState */
export const DeliveryState = {
  UNSPECIFIED: 0,
  KNOWN: 1,
  NONE: 2,
  UNKNOWN: 3,
  FORBIDDEN: 4,
} as const;
/** dashboard.v1.DeliveryState */
export type DeliveryState = (typeof DeliveryState)[keyof typeof DeliveryState] | UnknownEnum;

/** dashboard.v1.DeliveryEventKind */
export const DeliveryEventKind = {
  UNSPECIFIED: 0,
  DEPLOYED: 1,
  SYNC_STARTED: 2,
  SYNC_ENDED: 3,
} as const;
/** dashboard.v1.DeliveryEventKind */
export type DeliveryEventKind = (typeof DeliveryEventKind)[keyof typeof DeliveryEventKind] | UnknownEnum;

/** dashboard.v1.RowGap */
export const RowGap = {
  UNSPECIFIED: 0,
  NOT_LOOKED_AT: 1,
  FORBIDDEN: 2,
  FAILED: 3,
  TOO_LARGE: 4,
  MOVED: 5,
} as const;
/** dashboard.v1.RowGap */
export type RowGap = (typeof RowGap)[keyof typeof RowGap] | UnknownEnum;

/** dashboard.v1.ChangeKind */
export const ChangeKind = {
  UNSPECIFIED: 0,
  CREATED: 1,
  CHANGED: 2,
  DELETED: 3,
  RECREATED: 4,
} as const;
/** dashboard.v1.ChangeKind */
export type ChangeKind = (typeof ChangeKind)[keyof typeof ChangeKind] | UnknownEnum;

/** dashboard.v1.DetailTone */
export const DetailTone = {
  UNSPECIFIED: 0,
  GOOD: 1,
  BUSY: 2,
  BAD: 3,
} as const;
/** dashboard.v1.DetailTone */
export type DetailTone = (typeof DetailTone)[keyof typeof DetailTone] | UnknownEnum;

/** dashboard.v1.ManifestFieldState */
export const ManifestFieldState = {
  UNSPECIFIED: 0,
  SAME: 1,
  DIFFERENT: 2,
  ABSENT: 3,
  EXTRA: 4,
} as const;
/** dashboard.v1.ManifestFieldState */
export type ManifestFieldState = (typeof ManifestFieldState)[keyof typeof ManifestFieldState] | UnknownEnum;

/** dashboard.v1.ManifestSource */
export const ManifestSource = {
  UNSPECIFIED: 0,
  GIT: 1,
  LAST_APPLIED: 2,
} as const;
/** dashboard.v1.ManifestSource */
export type ManifestSource = (typeof ManifestSource)[keyof typeof ManifestSource] | UnknownEnum;

/** dashboard.v1.GitopsWish */
export const GitopsWish = {
  UNSPECIFIED: 0,
  SYNC: 1,
  PAUSE: 2,
  RESUME: 3,
  CONSENT: 4,
  TAKE_OVER: 5,
  KEEP: 6,
  UNDO_KEEP: 7,
} as const;
/** dashboard.v1.GitopsWish */
export type GitopsWish = (typeof GitopsWish)[keyof typeof GitopsWish] | UnknownEnum;

/** dashboard.v1.GitopsRight */
export const GitopsRight = {
  UNSPECIFIED: 0,
  ALLOWED: 1,
  DENIED: 2,
} as const;
/** dashboard.v1.GitopsRight */
export type GitopsRight = (typeof GitopsRight)[keyof typeof GitopsRight] | UnknownEnum;

/** dashboard.v1.GitopsAskOutcome */
export const GitopsAskOutcome = {
  UNSPECIFIED: 0,
  WRITTEN: 1,
  REFUSED: 2,
  UNKNOWN: 3,
} as const;
/** dashboard.v1.GitopsAskOutcome */
export type GitopsAskOutcome = (typeof GitopsAskOutcome)[keyof typeof GitopsAskOutcome] | UnknownEnum;

/** dashboard.v1.MetricKind */
export const MetricKind = {
  UNSPECIFIED: 0,
  CPU: 1,
  MEMORY: 2,
  RESTARTS: 3,
  REQUESTS: 4,
} as const;
/** dashboard.v1.MetricKind */
export type MetricKind = (typeof MetricKind)[keyof typeof MetricKind] | UnknownEnum;

/** dashboard.v1.MetricsSource */
export const MetricsSource = {
  UNSPECIFIED: 0,
  PROMETHEUS: 1,
  METRICS_API: 2,
} as const;
/** dashboard.v1.MetricsSource */
export type MetricsSource = (typeof MetricsSource)[keyof typeof MetricsSource] | UnknownEnum;
