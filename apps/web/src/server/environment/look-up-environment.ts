import type { ViewerAccess } from "../main-application/main-application.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import { withTeam } from "../team-file/team-view-of.ts";
import type { TeamFiles } from "../team-file/team-files.ts";

/** What environments are looked up with. */
export interface LookUpContext {
  /** What teams say of their environments. */
  readonly teamFiles: TeamFiles;
}

/**
 * One environment, with the content of the project's own file. A viewer who may not see the environment is rejected before any request for
 * the file.
 *
 * @throws as ViewerAccess.environment; never for the sake of the file
 */
export async function lookUpEnvironment(
  context: LookUpContext,
  viewerAccess: ViewerAccess,
  names: { readonly projectPath: string; readonly environment: string; readonly signal: AbortSignal },
): Promise<{ readonly viewer: MainViewer; readonly environment: EnvironmentRecord }> {
  const { viewer, environment } = await viewerAccess.environment(names, names.signal);
  return { viewer, environment: withTeam(environment, await context.teamFiles.read(viewerAccess, environment.projectPath)) };
}
