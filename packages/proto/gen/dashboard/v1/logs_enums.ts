// The numbers of dashboard.v1 without its messages: what only names them does not load a protobuf runtime.
// Written by scripts/enums/main.ts ("npm run gen").
import type { UnknownEnum } from "@bufbuild/protobuf";

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
