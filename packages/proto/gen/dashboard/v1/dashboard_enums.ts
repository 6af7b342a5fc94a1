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

/** dashboard.v1.ActionKind */
export const ActionKind = {
  UNSPECIFIED: 0,
  RESTART: 1,
  SCALE: 2,
  SET_IMAGE: 3,
  PAUSE: 4,
  RESUME: 5,
  SUSPEND: 6,
  UNSUSPEND: 7,
  ROLL_BACK: 8,
  RUN_NOW: 9,
  RUN_AGAIN: 10,
  SET_LIMITS: 11,
  EVICT: 12,
  DELETE: 13,
  TOOL: 14,
  SYNC: 15,
  PAUSE_SYNCS: 16,
  RESUME_SYNCS: 17,
  CONSENT_PRUNE: 18,
  STOP: 19,
  EDIT: 20,
} as const;
/** dashboard.v1.ActionKind */
export type ActionKind = (typeof ActionKind)[keyof typeof ActionKind] | UnknownEnum;

/** dashboard.v1.ActionPropagation */
export const ActionPropagation = {
  UNSPECIFIED: 0,
  BACKGROUND: 1,
  FOREGROUND: 2,
  ORPHAN: 3,
} as const;
/** dashboard.v1.ActionPropagation */
export type ActionPropagation = (typeof ActionPropagation)[keyof typeof ActionPropagation] | UnknownEnum;

/** dashboard.v1.ActionRight */
export const ActionRight = {
  UNSPECIFIED: 0,
  ALLOWED: 1,
  DENIED: 2,
} as const;
/** dashboard.v1.ActionRight */
export type ActionRight = (typeof ActionRight)[keyof typeof ActionRight] | UnknownEnum;

/** dashboard.v1.EditPreference */
export const EditPreference = {
  UNSPECIFIED: 0,
  PRESENT: 1,
  EDITED: 2,
} as const;
/** dashboard.v1.EditPreference */
export type EditPreference = (typeof EditPreference)[keyof typeof EditPreference] | UnknownEnum;

/** dashboard.v1.ActionOutcome */
export const ActionOutcome = {
  UNSPECIFIED: 0,
  DONE: 1,
  REFUSED: 2,
  CONFLICT: 3,
  UNKNOWN: 4,
} as const;
/** dashboard.v1.ActionOutcome */
export type ActionOutcome = (typeof ActionOutcome)[keyof typeof ActionOutcome] | UnknownEnum;

/** dashboard.v1.TerminalEnd */
export const TerminalEnd = {
  UNSPECIFIED: 0,
  EXITED: 1,
  NO_SHELL: 2,
  REFUSED: 3,
  LOST: 4,
  SIGNED_OUT: 5,
  WITHDRAWN: 6,
  IDLE: 7,
  TOO_LONG: 8,
  RESTART: 9,
  NOT_RECORDED: 10,
} as const;
/** dashboard.v1.TerminalEnd */
export type TerminalEnd = (typeof TerminalEnd)[keyof typeof TerminalEnd] | UnknownEnum;

/** dashboard.v1.LogLevel */
export const LogLevel = {
  UNSPECIFIED: 0,
  DEBUG: 1,
  INFO: 2,
  WARNING: 3,
  ERROR: 4,
} as const;
/** dashboard.v1.LogLevel */
export type LogLevel = (typeof LogLevel)[keyof typeof LogLevel] | UnknownEnum;

/** dashboard.v1.LogContainerKind */
export const LogContainerKind = {
  UNSPECIFIED: 0,
  INIT: 1,
  SIDECAR: 2,
  EPHEMERAL: 3,
} as const;
/** dashboard.v1.LogContainerKind */
export type LogContainerKind = (typeof LogContainerKind)[keyof typeof LogContainerKind] | UnknownEnum;

/** dashboard.v1.LogSourceState */
export const LogSourceState = {
  UNSPECIFIED: 0,
  WAITING: 1,
  READING: 2,
  ENDED: 3,
  REFUSED: 4,
  FAILED: 5,
  OVER_LIMIT: 6,
} as const;
/** dashboard.v1.LogSourceState */
export type LogSourceState = (typeof LogSourceState)[keyof typeof LogSourceState] | UnknownEnum;
