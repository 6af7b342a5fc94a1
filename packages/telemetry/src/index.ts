export { createLogger, type Logger, type LogLevel } from "./logger.ts";
export { Secret } from "./secret.ts";
