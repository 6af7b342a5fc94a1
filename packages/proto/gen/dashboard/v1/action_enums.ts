// The numbers of dashboard.v1 without its messages: what only names them does not load a protobuf runtime.
// Written by scripts/enums/main.ts ("npm run gen").
import type { UnknownEnum } from "@bufbuild/protobuf";

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
  DEBUG_CONTAINER: 21,
  EDIT_LABELS: 22,
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

/** dashboard.v1.ActionPodReplacement */
export const ActionPodReplacement = {
  UNSPECIFIED: 0,
  NOW: 1,
  ON_RESUME: 2,
  ON_DELETE: 3,
} as const;
/** dashboard.v1.ActionPodReplacement */
export type ActionPodReplacement = (typeof ActionPodReplacement)[keyof typeof ActionPodReplacement] | UnknownEnum;

/** dashboard.v1.ActionEffectKind */
export const ActionEffectKind = {
  UNSPECIFIED: 0,
  REPLACED: 1,
  REMOVED: 2,
  BUDGET: 3,
  QUOTA: 4,
  NOT_KNOWN: 5,
} as const;
/** dashboard.v1.ActionEffectKind */
export type ActionEffectKind = (typeof ActionEffectKind)[keyof typeof ActionEffectKind] | UnknownEnum;

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
