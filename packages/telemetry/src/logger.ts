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

/** Bytes of lines that wait for an output that fails; more are dropped. */
const MAX_WAITING = 1024 * 1024;

/**
 * JSON lines on stderr (stdout belongs to the user). An output that fails, as on a full disk, fails nothing else: lines wait, up to 1 MiB,
 * and are written with the first one that finds room; how many were dropped is a line of its own.
 *
 * @param app name of the program, on every line as `app`
 */
export function createLogger(app: string, level: LogLevel = "info"): Logger {
  // Without a listener, an error of this stream would end the process.
  const stream = destination({ dest: 2, sync: true, maxLength: MAX_WAITING }).on("error", () => undefined);
  const logger = pino(
    {
      level,
      base: { app },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: REDACTED, censor: "[secret]" },
      messageKey: "msg",
      errorKey: "error",
    },
    visibleLines(stream),
  );
  let dropped = 0;
  stream.on("drop", () => (dropped += 1));
  stream.on("drain", () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    logger.warn({ lines }, "lines of this log were dropped, because its output failed");
  });
  return logger;
}
