export { LogFilterError, type LogFilterInit } from "./filter/filter.ts";
export type { LogsLimits, LogsQuery, LogsReader, LogTarget } from "./logs-query.ts";
export { nanosOf } from "@binnacle/proto/wire-values";
export { readLogs } from "./read-logs.ts";
