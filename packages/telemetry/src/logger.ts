import { destination, pino, stdTimeFunctions, type DestinationStream, type Logger as PinoLogger } from "pino";

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

/** Characters that JSON may hold as they are, and that a terminal does not show, or that turn the direction of the line. */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same JSON with these characters written as `\u202e`. */
function visibleLines(stream: DestinationStream): DestinationStream {
  return { write: (line) => stream.write(line.replaceAll(INVISIBLE, escapesOf)) };
}

function escapesOf(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

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
    visibleLines(destination({ dest: 2, sync: true })),
  );
}
