export { createLogger, type Logger, type LogLevel } from "./logger.ts";
export { openProbeServer, type ProbeServer, type ProbeServerOptions } from "./probe-server.ts";
export { Secret } from "./secret.ts";
