import { COMMANDS } from "./commands/commands.ts";
import { CommandFailure, EXIT } from "./program/exit-codes.ts";
import { helpOf, helpOfAll } from "./program/help.ts";
import { parseArguments } from "./program/parse-arguments.ts";
import type { Terminal } from "./program/terminal.ts";
import { VERSION } from "./program/version.ts";

/** Runs the program. @returns its exit code @throws only for bugs */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const parsed = parseArguments(argv, COMMANDS);
    if (parsed.kind === "version") {
      terminal.write(`binnacle ${VERSION}\n`);
      return EXIT.ok;
    }
    if (parsed.kind === "help") {
      const text = parsed.command === undefined ? helpOfAll(COMMANDS) : helpOf(parsed.command);
      // Without a command the help is an answer to a mistake.
      if (argv.length === 0) terminal.note(text);
      else terminal.write(text);
      return argv.length === 0 ? EXIT.usage : EXIT.ok;
    }
    const { command, arguments: given, options } = parsed;
    return await command.run({ terminal, arguments: given, options });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    terminal.note(`binnacle: ${error.message}\n${error.hint === "" ? "" : `${error.hint}\n`}`);
    return error.exitCode;
  }
}
