// The numbers of dashboard.v1 without its messages: what only names them does not load a protobuf runtime.
// Written by scripts/enums/main.ts ("npm run gen").
import type { UnknownEnum } from "@bufbuild/protobuf";

/** dashboard.v1.SettingsControl */
export const SettingsControl = {
  UNSPECIFIED: 0,
  AGENT: 1,
  NAMESPACE: 2,
  FLUX: 3,
  FILE: 4,
  CREATE: 5,
  STOP: 6,
  DELETE: 7,
} as const;
/** dashboard.v1.SettingsControl */
export type SettingsControl = (typeof SettingsControl)[keyof typeof SettingsControl] | UnknownEnum;

/** dashboard.v1.SettingsAgentState */
export const SettingsAgentState = {
  UNSPECIFIED: 0,
  AVAILABLE: 1,
  NOT_SHARED: 2,
} as const;
/** dashboard.v1.SettingsAgentState */
export type SettingsAgentState = (typeof SettingsAgentState)[keyof typeof SettingsAgentState] | UnknownEnum;

/** dashboard.v1.PreviewState */
export const PreviewState = {
  UNSPECIFIED: 0,
  COMPLETE: 1,
  PARTIAL: 2,
  FORBIDDEN: 3,
  UNREACHABLE: 4,
  INVALID: 5,
  NO_AGENT: 6,
} as const;
/** dashboard.v1.PreviewState */
export type PreviewState = (typeof PreviewState)[keyof typeof PreviewState] | UnknownEnum;

/** dashboard.v1.SettingsOutcome */
export const SettingsOutcome = {
  UNSPECIFIED: 0,
  UNCHANGED: 1,
  DONE: 2,
  PROPOSED: 3,
  REJECTED: 4,
  CONFLICT: 5,
  UNKNOWN: 6,
} as const;
/** dashboard.v1.SettingsOutcome */
export type SettingsOutcome = (typeof SettingsOutcome)[keyof typeof SettingsOutcome] | UnknownEnum;
