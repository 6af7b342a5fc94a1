import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

import { GivenOptions, type CommandSpec } from "./command.ts";
import { usageFailure } from "./exit-codes.ts";

/** What was called: a command, or the help of one, or of all. */
export type Parsed =
  | { readonly kind: "run"; readonly command: CommandSpec; readonly arguments: readonly string[]; readonly options: GivenOptions }
  | { readonly kind: "help"; readonly command: CommandSpec | undefined }
  | { readonly kind: "version" };

/** Reads the arguments of the program. @throws CommandFailure with exit code 64 that names the mistake and how the command is used */
export function parseArguments(argv: readonly string[], commands: readonly CommandSpec[]): Parsed {
  const [first] = argv;
  if (first === undefined || first === "--help" || first === "-h") return { kind: "help", command: undefined };
  if (first === "--version") return { kind: "version" };
  if (first === "help") return { kind: "help", command: argv.length === 1 ? undefined : commandOf(argv.slice(1), commands).command };
  const { command, rest } = commandOf(argv, commands);
  const { values, positionals } = parseRest(command, rest);
  if (values["help"] === true) return { kind: "help", command };
  requireArguments(command, positionals);
  for (const { name, choices } of command.options) {
    const value = values[name];
    if (choices !== undefined && typeof value === "string" && !choices.includes(value))
      throw usageFailure(`--${name} is ${choices.join(", ")}, not "${value}".`, usageLine(command));
  }
  return { kind: "run", command, arguments: positionals, options: new GivenOptions(values) };
}

/** "binnacle status ENVIRONMENT [options]". */
export function usageLine(command: CommandSpec): string {
  const names = command.arguments.map(({ name, optional, repeats }) => {
    const many = repeats === true ? `${name}…` : name;
    return optional === true ? `[${many}]` : many;
  });
  return ["usage: binnacle", command.name, ...names, ...(command.options.length === 0 ? [] : ["[options]"])].join(" ");
}

function commandOf(
  argv: readonly string[],
  commands: readonly CommandSpec[],
): { readonly command: CommandSpec; readonly rest: readonly string[] } {
  const [first = "", second = ""] = argv;
  const two = commands.find(({ name }) => name === `${first} ${second}`);
  if (two !== undefined) return { command: two, rest: argv.slice(2) };
  const one = commands.find(({ name }) => name === first);
  if (one !== undefined) return { command: one, rest: argv.slice(1) };
  if (first.startsWith("-")) throw usageFailure(`${first} comes after the name of a command.`, "binnacle --help");
  const group = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (group.length > 0)
    throw usageFailure(`"${first}" is followed by one of: ${group.map((name) => name.slice(first.length + 1)).join(", ")}.`);
  throw usageFailure(`There is no command "${first}".`, "binnacle --help");
}

/** Values of options by name, and what is left. */
interface Rest {
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly positionals: readonly string[];
}

function parseRest(command: CommandSpec, rest: readonly string[]): Rest {
  const options: ParseArgsOptionsConfig = { help: { type: "boolean", short: "h" } };
  for (const { name, short, value, repeats } of command.options) {
    options[name] = {
      type: value === undefined ? "boolean" : "string",
      ...(short === undefined ? {} : { short }),
      ...(repeats === true ? { multiple: true } : {}),
    };
  }
  try {
    const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true, strict: true });
    // Every option is a text, or its texts, or is there: `options` says so, which the type of the answer does not know.
    return { values: values as Rest["values"], positionals };
  } catch (error) {
    // parseArgs throws errors of its own, whose first sentence says what is wrong.
    const [message = ""] = (error instanceof Error ? error.message : String(error)).split(/\. (?:To specify|Did you)/);
    throw usageFailure(`${message.replace(/\.$/, "")}.`, usageLine(command));
  }
}

function requireArguments(command: CommandSpec, given: readonly string[]): void {
  const missing = command.arguments.find(({ optional }, index) => optional !== true && (given[index] ?? "") === "");
  if (missing !== undefined) throw usageFailure(`${missing.name} is missing.`, usageLine(command));
  const most = command.arguments.some(({ repeats }) => repeats === true) ? Infinity : command.arguments.length;
  if (given.length > most) throw usageFailure(`"${given[most] ?? ""}" is one argument too many.`, usageLine(command));
}
