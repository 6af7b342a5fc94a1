import { LogLevel } from "@binnacle/proto/logs-enums";

/** Characters of a line that are searched: a level stands near the beginning, in JSON also after the message. */
const MAX_JSON_CHARS = 4096;
const MAX_TEXT_CHARS = 200;

const { DEBUG, INFO, WARNING, ERROR, UNSPECIFIED } = LogLevel;

/** Names of levels in lower case, of log4j, slf4j, zap, logrus, zerolog, Python, syslog, .NET and systemd. */
const LEVELS: ReadonlyMap<string, LogLevel> = new Map<string, LogLevel>([
  ...["trace", "trc", "debug", "dbg", "fine", "finer", "finest", "verbose"].map((name) => [name, DEBUG] as const),
  ...["info", "inf", "information", "informational", "notice"].map((name) => [name, INFO] as const),
  ...["warn", "warning", "wrn"].map((name) => [name, WARNING] as const),
  ...["error", "err", "fatal", "ftl", "critical", "crit", "panic", "dpanic", "severe", "alert", "emerg", "emergency"].map(
    (name) => [name, ERROR] as const,
  ),
]);

const JSON_LEVEL =
  /"(?:level|severity|lvl|log\.level|levelname|loglevel|severity_text|severityText|@l)"\s{0,4}:\s{0,4}(?:"([A-Za-z]{1,16})"|(\d{1,3})(?=[,}\s]))/i;
const LOGFMT_LEVEL = /(?:^|\s)(?:level|lvl|severity|loglevel)="?([A-Za-z]{1,16}|\d{1,3})(?=["\s]|$)/i;
/** The header of klog: severity, month, day, time. */
const KLOG_HEADER = /^([IWEF])\d{4} \d\d:\d\d:\d\d\./;
const BRACKETED = /[[<(] {0,3}([A-Za-z]{3,13}) {0,3}[\])>]/g;
/** A time, perhaps a name, then the level. */
const LEADING = /^(?:[\d\-/:.,TZ+ ]{8,40} )?(?:[\w./-]{1,64}: )?([A-Za-z]{3,13})(?=[:\s|-]|$)/;
/** A level in capitals between other fields, as the patterns of log4j and Python have it. */
const CAPITALS = /(?:^|[\s|:-])(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|PANIC|SEVERE)(?=[\s|:,-]|$)/;

const KLOG: ReadonlyMap<string, LogLevel> = new Map<string, LogLevel>([
  ["I", INFO],
  ["W", WARNING],
  ["E", ERROR],
  ["F", ERROR],
]);

/**
 * The severity that a line names itself: a field of JSON or logfmt (names, numbers of pino and bunyan from 10 to 60, of syslog from 0 to 7),
 * the header of klog, a level in brackets, or one before the message. Reads at most 4,096 characters.
 */
export function levelOf(text: string): LogLevel {
  if (text.charCodeAt(0) === 0x7b) {
    const json = JSON_LEVEL.exec(text.length > MAX_JSON_CHARS ? text.slice(0, MAX_JSON_CHARS) : text);
    return json === null ? UNSPECIFIED : named(json[1] ?? json[2]);
  }
  const klog = KLOG_HEADER.exec(text);
  if (klog !== null) return KLOG.get(klog[1] ?? "") ?? UNSPECIFIED;
  const head = text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
  const logfmt = LOGFMT_LEVEL.exec(head);
  if (logfmt !== null) return named(logfmt[1]);
  for (const [, word] of head.matchAll(BRACKETED)) {
    const level = named(word);
    if (level !== UNSPECIFIED) return level;
  }
  const leading = named(LEADING.exec(head)?.[1]);
  return leading === UNSPECIFIED ? named(CAPITALS.exec(head)?.[1]) : leading;
}

function named(name: string | undefined): LogLevel {
  if (name === undefined) return UNSPECIFIED;
  const number = Number(name);
  return Number.isNaN(number) ? (LEVELS.get(name.toLowerCase()) ?? UNSPECIFIED) : numbered(number);
}

/** https://github.com/pinojs/pino/blob/main/docs/api.md "logger.level", and RFC 5424 §6.2.1 below 10. */
function numbered(number: number): LogLevel {
  if (number < 10) return number <= 3 ? ERROR : number === 4 ? WARNING : number <= 6 ? INFO : number === 7 ? DEBUG : UNSPECIFIED;
  if (number < 30) return DEBUG;
  return number < 40 ? INFO : number < 50 ? WARNING : ERROR;
}
