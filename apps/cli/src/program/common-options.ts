import type { ArgumentSpec, OptionSpec } from "./command.ts";

/** The environment that a command is about. */
export const ENVIRONMENT: ArgumentSpec = { name: "ENVIRONMENT", help: "name of the environment, as the main application has it" };

/** The project of that environment. */
export const PROJECT: OptionSpec = {
  name: "project",
  short: "p",
  value: "PATH",
  help: "full path of the project; default: BINNACLE_PROJECT, else CI_PROJECT_PATH, else `project` of the configuration",
};

/** How results are written. */
export const OUTPUT: OptionSpec = {
  name: "output",
  short: "o",
  value: "FORMAT",
  choices: ["table", "json", "yaml"],
  help: "table, json or yaml; default: table",
};

/** Nothing but results and failures. */
export const QUIET: OptionSpec = { name: "quiet", short: "q", help: "no progress on standard error" };
