import type { CommandSpec, OptionSpec } from "./command.ts";
import { usageLine } from "./parse-arguments.ts";

/** The exit codes, with what each means. */
export const EXIT_CODES: readonly (readonly [string, string])[] = [
  ["0", "done; of status: healthy or suspended"],
  ["1", "degraded or missing; of agent check: a check failed"],
  ["2", "progressing"],
  ["3", "unknown, partial, stale, no access, or not reachable"],
  ["64", "wrong usage or configuration"],
  ["130", "interrupted"],
];

/** The help of all commands. */
export function helpOfAll(commands: readonly CommandSpec[]): string {
  return [
    "usage: binnacle COMMAND [arguments] [options]",
    "",
    "Commands:",
    ...aligned(commands.map(({ name, summary }) => [name, summary])),
    "",
    "Exit codes:",
    ...aligned(EXIT_CODES),
    "",
    "binnacle COMMAND --help shows the options of a command.",
    "",
  ].join("\n");
}

/** The help of one command. */
export function helpOf(command: CommandSpec): string {
  const part = (title: string, lines: readonly string[]): readonly string[] => (lines.length === 0 ? [] : ["", `${title}:`, ...lines]);
  return [
    usageLine(command),
    "",
    `${command.summary}.`,
    ...(command.details ?? []).flatMap((paragraph) => ["", ...wrapped(paragraph, 78)]),
    ...part("Arguments", aligned(command.arguments.map(({ name, help }) => [name, help]))),
    ...part(
      "Options",
      aligned([...command.options.map((option) => [optionText(option), option.help] as const), ["-h, --help", "this text"]]),
    ),
    ...part(
      "Examples",
      command.examples.map((example) => `  ${example}`),
    ),
    "",
  ].join("\n");
}

/** "-o, --output FORMAT". */
export function optionText({ name, short, value }: OptionSpec): string {
  const long = value === undefined ? `--${name}` : `--${name} ${value}`;
  return short === undefined ? long : `-${short}, ${long}`;
}

function aligned(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
