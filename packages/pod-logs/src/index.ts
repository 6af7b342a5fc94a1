export { LogFilterError, type LogFilterInit } from "./filter/filter.ts";
export type { LogsLimits, LogsQuery, LogsReader, LogTarget } from "./logs-query.ts";
export { nanosOf } from "./lines/log-time.ts";
export { readLogs } from "./read-logs.ts";
