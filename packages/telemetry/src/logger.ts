import { destination, pino, stdTimeFunctions, type Logger as PinoLogger } from "pino";

/** A logger: `log.info({ agent_id }, "tunnel opened")`. Messages are constant sentences, the rest snake_case fields. */
export type Logger = PinoLogger;

/** Level of a log, least talkative first. */
export type LogLevel = "error" | "warn" | "info" | "debug" | "silent";

/** Paths that are never printed, whatever is logged; `Secret` is the other wall. */
const REDACTED = [
  "token",
  "password",
  "authorization",
  "cookie",
  "*.token",
  "*.password",
  "*.authorization",
  "*.cookie",
  "headers.authorization",
  "headers.cookie",
];

/**
 * JSON lines on stderr (stdout belongs to the user).
 *
 * @param app name of the program, on every line as `app`
 */
export function createLogger(app: string, level: LogLevel = "info"): Logger {
  return pino(
    {
      level,
      base: { app },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: "[secret]" },
      messageKey: "msg",
      errorKey: "error",
    },
    destination({ dest: 2, sync: true }),
  );
}
