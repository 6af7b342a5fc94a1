import { COMMANDS } from "../src/commands/commands.ts";
import type { CommandSpec } from "../src/program/command.ts";
import { EXIT_CODES, optionText } from "../src/program/help.ts";
import { usageLine } from "../src/program/parse-arguments.ts";

/** Where the reference of the commands stands. */
export const REFERENCE_FILE = new URL("../../../docs/reference/cli.md", import.meta.url);

const README = "apps/cli/README.md";

/** The page, made of the table that help and completion are made of. */
export function referencePage(): string {
  return [
    "# Commands of `binnacle`",
    "",
    "<!-- Written by apps/cli/dev/write-reference.ts (`npm run reference`) from apps/cli/src/commands. -->",
    "",
    `How to install it and where its configuration stands: [apps/cli](../../${README}).`,
    "",
    "## Exit codes",
    "",
    ...EXIT_CODES.map(([code, meaning]) => `- \`${code}\`: ${meaning}`),
    ...COMMANDS.flatMap(commandLines),
    "",
  ].join("\n");
}

function commandLines(command: CommandSpec): readonly string[] {
  const { name, summary, details = [], options, examples } = command;
  const given = command.arguments.map((argument) => `- \`${argument.name}\`: ${argument.help}`);
  const lines = [...given, ...options.map((option) => `- \`${optionText(option)}\`: ${option.help}`)];
  return [
    "",
    `## \`${name}\``,
    "",
    `${summary}.`,
    ...details.flatMap((paragraph) => ["", paragraph]),
    "",
    "```sh",
    `# ${usageLine(command)}`,
    ...examples,
    "```",
    ...(lines.length === 0 ? [] : ["", ...lines]),
  ];
}
