import { createHash } from "node:crypto";

import { words, type Words } from "@binnacle/words";

import type { ViewerAccess } from "../main-application/main-application.ts";
import type { EditableFile, SettingsCapabilities, SettingsRecord } from "../main-application/settings-access.ts";
import { parseTeamFile } from "../team-file/parse-team-file.ts";
import { MAX_TEAM_FILE_BYTES, TEAM_FILE_PATH } from "../team-file/team-file-schema.ts";
import { TeamEnvironments } from "../team-file/team-file.ts";
import { effectiveScope, type FileEntries, type SettingsValues } from "./settings-values.ts";

/** Settings of an environment as both stores have them now. */
export interface SettingsState {
  readonly record: SettingsRecord;
  readonly file: EditableFile;
  /** Names the text of the file; empty: there is none. */
  readonly fileVersion: string;
  readonly entries: FileEntries;
  /** Key of the entry that holds; empty: none. */
  readonly entryName: string;
  readonly values: SettingsValues;
  /** Why the file cannot be written; absent: it can. */
  readonly fileRefused: Words | undefined;
}

/** Which environment. */
export interface SettingsNames {
  readonly projectPath: string;
  /** Empty: a new one. */
  readonly environment: string;
}

/**
 * Reads both stores as they are now, past every cache.
 *
 * @throws Fault `session_ended`, `not_found`, `main_application_unavailable`
 */
export async function readSettingsState(
  access: ViewerAccess,
  { projectPath, environment }: SettingsNames,
  signal: AbortSignal,
): Promise<SettingsState> {
  // A viewer who may not see the environment is rejected before any request for the file.
  const record = await access.settings({ projectPath, environment: environment === "" ? undefined : environment }, signal);
  const file = await access.editableFile({ project: record.projectPath, path: TEAM_FILE_PATH, mostBytes: MAX_TEAM_FILE_BYTES }, signal);
  return stateOf(record, file, environment);
}

/** The state of an environment of this name. */
export function stateOf(record: SettingsRecord, file: EditableFile, environment: string): SettingsState {
  const { answer } = file;
  const parsed = answer.kind === "text" ? parseTeamFile(answer.text).environments : [];
  const own = parsed.find(({ name }) => name === environment);
  const pattern = own === undefined && environment !== "" ? new TeamEnvironments(parsed).of(environment) : undefined;
  const patterns = new TeamEnvironments(parsed.filter(({ name }) => name !== environment));
  const entries = { own: own?.entry, pattern: environment === "" ? undefined : patterns.of(environment)?.entry };
  const found = record.environment;
  return {
    record,
    file,
    fileVersion: answer.kind === "text" ? createHash("sha256").update(answer.text).digest("base64url") : "",
    entries,
    entryName: (own ?? pattern)?.name ?? "",
    values: {
      ...effectiveScope(entries, found?.namespace ?? ""),
      agentId: found?.agent?.id,
      fluxResourcePath: found?.fluxResourcePath ?? "",
    },
    fileRefused: whyNotWritable(record, file),
  };
}

/** Why the main application cannot do it; `undefined`: it can. */
export function lackOf({ capabilities, versions }: SettingsRecord, capability: keyof SettingsCapabilities): Words | undefined {
  if (capabilities[capability]) return undefined;
  return versions ? words("settings/not-supported", { version: versions[capability] }) : words("settings/in-files");
}

function whyNotWritable(record: SettingsRecord, { answer, branch }: EditableFile): Words | undefined {
  const { projectPath: project, may } = record;
  if (answer.kind === "forbidden") return words("team-file/forbidden", { file: TEAM_FILE_PATH });
  if (answer.kind === "binary" || answer.kind === "too-large") return words(`team-file/${answer.kind}`, { file: TEAM_FILE_PATH });
  const lack = lackOf(record, "commit");
  if (lack) return lack;
  if (!may.push) return words("settings/may-not-push", { project });
  return branch === "" ? words("settings/no-commit", { project }) : undefined;
}
