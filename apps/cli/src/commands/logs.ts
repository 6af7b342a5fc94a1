import {
  LogLevel,
  LogSourceState,
  type LogLine,
  type LogPosition,
  type LogSource,
  type ReadLogsResponse,
} from "@binnacle/proto/dashboard-logs";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import { shortKind } from "@binnacle/presentation/health/kind-words";
import { messageText } from "@binnacle/presentation/text/messages";
import { Backoff, sleep } from "@binnacle/rpc";
import { markInvisible } from "@binnacle/words";
import { toTimestamp } from "@binnacle/proto/wire-values";

import { isWorthAnother } from "../connection/clients.ts";
import { firstWhole } from "../connection/first-whole.ts";
import { environmentOf, withSession, type NamedEnvironment, type Session } from "../connection/session.ts";
import { writeRecord } from "../output/documents.ts";
import { stylesOf, type Styles } from "../output/styles.ts";
import type { CommandCall, CommandSpec, GivenOptions } from "../program/command.ts";
import { ENVIRONMENT, PROJECT } from "../program/common-options.ts";
import { CommandFailure, EXIT, usageFailure } from "../program/exit-codes.ts";
import { durationMs } from "../settings/duration.ts";

const DEFAULT_TAIL = 100;
const MAX_TAIL = 100_000;
const RETRY = { initialMs: 1_000, maxMs: 10_000 };
const LEVELS: Readonly<Record<string, LogLevel>> = {
  debug: LogLevel.DEBUG,
  info: LogLevel.INFO,
  warning: LogLevel.WARNING,
  error: LogLevel.ERROR,
};
/** Colours that programs write into their logs (ECMA-48, SGR); a terminal is shown the text without them. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const COLOUR_CODES = /\u001B\[[\d;:]{0,64}m/g;

/** `binnacle logs`. */
export const LOGS: CommandSpec = {
  name: "logs",
  summary: "Read the logs of an environment, of workloads or of pods, merged by time",
  details: ["After a break of the connection --follow goes on behind the last line of each container."],
  arguments: [
    ENVIRONMENT,
    {
      name: "KIND/NAME",
      help: "workload or pod, such as deployment/web; default: every pod of the environment",
      optional: true,
      repeats: true,
    },
  ],
  options: [
    PROJECT,
    { name: "follow", short: "f", help: "go on with new lines and new pods until Ctrl-C" },
    { name: "container", short: "c", value: "NAME", repeats: true, help: "only containers of this name" },
    { name: "previous", help: "the container before the last restart" },
    { name: "since", value: "DURATION", help: "lines of the last 10m, for example" },
    { name: "tail", value: "N", help: `the last lines of each container; default: ${DEFAULT_TAIL}, with --since all` },
    { name: "grep", value: "TEXT", help: "only lines with this text" },
    { name: "level", value: "LEVEL", choices: Object.keys(LEVELS), repeats: true, help: "only lines that name this level" },
    { name: "timestamps", help: "the time before each line, in UTC" },
    {
      name: "output",
      short: "o",
      value: "FORMAT",
      choices: ["text", "json"],
      help: "text, or a line of JSON for each line; default: text",
    },
  ],
  examples: ["binnacle logs production deployment/web --follow", "binnacle logs production --since 10m --level error"],
  run: (call) => withSession(call, (session) => run(call, session, environmentOf(call, session.settings))),
};

async function run(call: CommandCall, session: Session, named: NamedEnvironment): Promise<number> {
  const { terminal, options } = call;
  const request = requestOf(options, terminal.clock.now());
  const refs = await refsOf(call, session, named);
  const writer = new LogWriter(call);
  const backoff = new Backoff(RETRY);
  while (!terminal.signal.aborted) {
    let hasBegun = false;
    try {
      const positions = [...writer.positions.values()];
      // One attempt after the other.
      // oxlint-disable-next-line no-await-in-loop
      for await (const message of session.clients.logs.readLogs(
        { ...named, ...request, refs: [...refs], positions },
        { signal: terminal.signal },
      )) {
        hasBegun = true;
        backoff.reset();
        writer.take(message);
      }
      break;
    } catch (error) {
      if (terminal.signal.aborted) break;
      if (!request.follow || !isWorthAnother(error, hasBegun)) throw error;
    }
    // oxlint-disable-next-line no-await-in-loop
    await sleep(terminal.clock, backoff.nextMs(), terminal.signal);
  }
  return terminal.isInterrupted() ? EXIT.interrupted : writer.exitCode();
}

function requestOf(options: GivenOptions, nowMs: number) {
  const [since, tail] = [options.text("since"), options.text("tail")];
  const lines = tail === undefined ? (since === undefined ? DEFAULT_TAIL : undefined) : Number(tail);
  if (lines !== undefined && (!Number.isSafeInteger(lines) || lines < 0 || lines > MAX_TAIL))
    throw usageFailure(`--tail is a number from 0 to ${MAX_TAIL}, not "${tail ?? ""}".`);
  return {
    follow: options.has("follow"),
    previous: options.has("previous"),
    containers: [...options.texts("container")],
    ...(since === undefined ? {} : { since: toTimestamp(nowMs - durationMs(since, "since")) }),
    ...(lines === undefined ? {} : { tailLines: lines }),
    filter: {
      pattern: options.text("grep") ?? "",
      levels: options.texts("level").map((level) => {
        const known = LEVELS[level];
        if (known === undefined) throw usageFailure(`--level is ${Object.keys(LEVELS).join(", ")}, not "${level}".`);
        return known;
      }),
    },
  };
}

/** The resources that are named, as the environment has them. */
async function refsOf(
  { terminal, arguments: [, ...names] }: CommandCall,
  session: Session,
  named: NamedEnvironment,
): Promise<readonly ResourceRef[]> {
  if (names.length === 0) return [];
  const wanted = names.map((text) => {
    const [kind = "", name = "", ...more] = text.split("/");
    if (kind === "" || name === "" || more.length > 0) throw usageFailure(`"${text}" is not KIND/NAME, such as deployment/web.`);
    return { text, kind: kind.toLowerCase(), name };
  });
  const state = await firstWhole(session, named, terminal);
  const nodes = [...state.graph().nodes.values()];
  return wanted.flatMap(({ text, kind, name }) => {
    const found = nodes.flatMap(({ ref }) => (ref !== undefined && ref.name === name && isOfKind(ref, kind) ? [ref] : []));
    if (found.length === 0) throw new CommandFailure(`${named.environment} has no ${text}.`);
    return found;
  });
}

/** "warning"; empty where the line names none. */
function levelText(level: LogLevel): string {
  return Object.entries(LEVELS).find(([, each]) => each === level)?.[0] ?? "";
}

function isOfKind({ kind, resource }: ResourceRef, wanted: string): boolean {
  return [kind.toLowerCase(), resource, shortKind(kind)].includes(wanted);
}

/** Writes lines as they come, and remembers how far each container was read. */
class LogWriter {
  readonly positions = new Map<string, LogPosition>();
  readonly #call: CommandCall;
  readonly #styles: Styles;
  readonly #sources = new Map<number, LogSource>();
  readonly #notes = new Set<string>();
  #refused = 0;

  constructor(call: CommandCall) {
    this.#call = call;
    this.#styles = stylesOf(call.terminal);
  }

  take({ message }: ReadLogsResponse): void {
    if (message.case === "sources") for (const source of message.value.sources) this.#source(source);
    if (message.case === "lines") {
      for (const line of message.value.lines) this.#line(line);
      for (const position of message.value.positions)
        this.positions.set([position.namespace, position.pod, position.container, position.containerId].join("/"), position);
    }
    if (message.case === "gap") this.#note(`lines of ${this.#nameOf(message.value.source)} are missing`);
  }

  /** Nothing could be read: the token may not. */
  exitCode(): number {
    return this.#refused > 0 && this.#refused === this.#sources.size ? EXIT.unknown : EXIT.ok;
  }

  #source(source: LogSource): void {
    this.#sources.set(source.id, source);
    const { state, words } = source;
    if (state === LogSourceState.REFUSED)
      this.#refused = [...this.#sources.values()].filter((each) => each.state === LogSourceState.REFUSED).length;
    const reason = messageText(words);
    if (reason !== "") this.#note(`${this.#nameOf(source.id)}: ${reason}`);
  }

  #line({ source, text, timeNanos, cutBytes, level }: LogLine): void {
    const { terminal, options } = this.#call;
    const of = this.#sources.get(source);
    const time = new Date(Number(timeNanos / 1_000_000n)).toISOString();
    if (options.text("output") === "json") {
      const { namespace = "", pod = "", container = "" } = of ?? {};
      writeRecord(terminal, "json", {
        time,
        namespace,
        pod,
        container,
        level: levelText(level),
        text,
        cutBytes: Number(cutBytes),
      });
      return;
    }
    const shown = terminal.isOutputTerminal ? markInvisible(text.replaceAll(COLOUR_CODES, "")) : text;
    const name = this.#sources.size > 1 ? `${this.#styles.faint(this.#nameOf(source))} ` : "";
    const cut = cutBytes > 0n ? `… (${cutBytes} bytes more)` : "";
    terminal.write(`${options.has("timestamps") ? `${time} ` : ""}${name}${shown}${cut}\n`);
  }

  #nameOf(id: number): string {
    const source = this.#sources.get(id);
    return source === undefined ? "" : `${source.pod}/${source.container}`;
  }

  #note(text: string): void {
    if (this.#notes.has(text)) return;
    this.#notes.add(text);
    this.#call.terminal.note(`binnacle: ${markInvisible(text)}\n`);
  }
}
