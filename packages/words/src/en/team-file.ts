import type { Catalogue } from "../catalogue.ts";

/** What a project's own file says, and why it may say nothing. */
export const TEAM_FILE = {
  "team-file/forbidden":
    "You may not read the team's file {file} in the repository: the environment is shown as the main application has it",
  "team-file/failed": "The team's file {file} could not be read: the environment is shown as the main application has it",
  "team-file/too-large":
    "The team's file {file} is longer than 64 KiB and was not read: the environment is shown as the main application has it",
  "team-file/binary": "The team's file {file} is no text and was not read: the environment is shown as the main application has it",
  "team-file/kept": "The team's file {file} could not be read just now: its last content stays in force",
  "team-file/no-place":
    "The rules of {file} are not in force: too many different teams' rules are in use in this cluster; they come into force when there is a place",
  "team-file/problem": "{file}, line {line}{has_path, select, no {} other {, {path}}}: {what}",
  "team-file/more": "{file}: {count, plural, one {one more entry is} other {{count} more entries are}} wrong",
  "team-file/hidden": "{count, plural, one {1 kind is} other {{count} kinds are}} hidden by {file}: {kinds}",
  "team-file/ignored":
    "{count, plural, one {1 kind does} other {{count} kinds do}} not count for the health of the environment, by {file}: {kinds}",
} as const satisfies Catalogue;
