import { parseArgs, type ParseArgsConfig } from "node:util";

/**
 * The arguments of a program, read by `parseArgs`. With `--help` it prints the usage and ends the process with 0; with a wrong argument it
 * prints what is wrong and the usage, and ends it with 2.
 */
export function readArguments<const Config extends ParseArgsConfig>(usage: string, config: Config): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
    return process.exit(2);
  }
}
