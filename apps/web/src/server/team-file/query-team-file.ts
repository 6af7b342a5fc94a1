import { queryBlob, type BlobAnswer } from "../main-application/query-blob.ts";
import type { ViewerAccess } from "../main-application/viewer-access.ts";
import { MOST_TEAM_FILE_BYTES, TEAM_FILE_PATH } from "./team-file-schema.ts";

/** What the file is asked with. */
export type TeamFileAccess = Pick<ViewerAccess, "key" | "graphql">;

/** What the main application gave of the file. */
export type TeamFileAnswer = BlobAnswer;

/**
 * Reads the file of a project, on its default branch, as the viewer.
 *
 * @throws Fault `session_ended`, `main_application_unavailable`
 */
export async function queryTeamFile(access: TeamFileAccess, projectPath: string, signal: AbortSignal): Promise<TeamFileAnswer> {
  return queryBlob(access, { project: projectPath, path: TEAM_FILE_PATH, mostBytes: MOST_TEAM_FILE_BYTES, projectPath }, signal);
}
