import type { EnvironmentRecord, MainViewer, ProjectRecord } from "../main-application/records.ts";
import type { ProjectEnvironments } from "../main-application/many-projects.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import type { TeamFiles } from "../team-file/team-files.ts";
import { MAX_TEAM_FILE_BYTES, TEAM_FILE_PATH } from "../team-file/team-file-schema.ts";
import { withTeam } from "../team-file/team-view-of.ts";
import type { RecordPool } from "./record-pool.ts";

/** Projects that the main application lists at most. */
const MAX_PROJECTS = 2_000;

/** What projects are read with. */
export interface OverviewProjectsContext {
  readonly teamFiles: Pick<TeamFiles, "readingOf">;
  readonly records: RecordPool;
}

interface KnownProject {
  readonly environments: readonly EnvironmentRecord[];
  readonly isFailed: boolean;
}

/** How much of the projects was read. */
export interface ProjectsTotals {
  readonly projects: number;
  readonly projectsRead: number;
  readonly projectsFailed: number;
  readonly moreProjects: boolean;
  readonly environments: number;
}

/** The projects of one overview with their environments, as its viewer may see them. What cannot be read now stays as it was. */
export class OverviewProjects {
  readonly #context: OverviewProjectsContext;
  readonly #viewerAccess: ViewerAccess;
  readonly #group: string;
  #projects: readonly ProjectRecord[] = [];
  readonly #known = new Map<string, KnownProject>();
  #more = false;

  /** @param options.group full path; empty: all projects of the viewer */
  constructor(context: OverviewProjectsContext, options: { readonly viewerAccess: ViewerAccess; readonly group: string }) {
    this.#context = context;
    this.#viewerAccess = options.viewerAccess;
    this.#group = options.group;
  }

  /** Reads the list of projects; environments of those that left it go. @throws Fault as of `ViewerAccess` */
  async list(signal: AbortSignal): Promise<MainViewer> {
    const listed = this.#group === "" ? await this.#ofViewer(signal) : await this.#viewerAccess.projectsOfGroup(this.#group, signal);
    this.#projects = listed.projects.slice(0, MAX_PROJECTS);
    this.#more = listed.more || listed.projects.length > MAX_PROJECTS;
    const paths = new Set(this.#projects.map(({ fullPath }) => fullPath));
    for (const path of this.#known.keys()) if (!paths.has(path)) this.#known.delete(path);
    return listed.viewer;
  }

  /**
   * Reads the environments of all projects.
   *
   * @param options.needOf larger for projects that are wanted first
   * @throws Fault `session_ended`
   */
  async read(
    options: { readonly deployments: boolean; readonly needOf: (projectPath: string) => number; readonly changed: () => void },
    signal: AbortSignal,
  ): Promise<void> {
    const { deployments, needOf, changed } = options;
    const projects = this.#projects.toSorted((left, right) => needOf(right.fullPath) - needOf(left.fullPath));
    const request = { projects, filePath: TEAM_FILE_PATH, maxFileBytes: MAX_TEAM_FILE_BYTES, deployments };
    const found = (read: readonly ProjectEnvironments[]): void => {
      for (const project of read) this.#put(project);
      changed();
    };
    await this.#viewerAccess.environmentsOf(request, found, signal);
  }

  /** All environments that are known now. */
  environments(): EnvironmentRecord[] {
    return [...this.#known.values()].flatMap(({ environments }) => environments);
  }

  /** How much was read. */
  totals(): ProjectsTotals {
    const known = [...this.#known.values()];
    return {
      projects: this.#projects.length,
      projectsRead: known.filter(({ isFailed }) => !isFailed).length,
      projectsFailed: known.filter(({ isFailed }) => isFailed).length,
      moreProjects: this.#more,
      environments: known.reduce((sum, { environments }) => sum + environments.length, 0),
    };
  }

  async #ofViewer(signal: AbortSignal): Promise<{ viewer: MainViewer; projects: readonly ProjectRecord[]; more: boolean }> {
    const { viewer, projects } = await this.#viewerAccess.projects(signal);
    return { viewer, projects, more: projects.length >= MAX_PROJECTS };
  }

  #put({ projectPath, result }: ProjectEnvironments): void {
    const { teamFiles, records } = this.#context;
    if (result.kind !== "read") {
      const isFailed = result.kind === "failed";
      if (isFailed) this.#known.set(projectPath, { environments: this.#known.get(projectPath)?.environments ?? [], isFailed });
      else {
        this.#known.delete(projectPath);
        this.#projects = this.#projects.filter(({ fullPath }) => fullPath !== projectPath);
      }
      return;
    }
    const reading = teamFiles.readingOf(result.file);
    const before = new Map((this.#known.get(projectPath)?.environments ?? []).map((each) => [each.number, each]));
    const environments = result.environments.map((environment) => {
      const { deployment = before.get(environment.number)?.deployment } = environment;
      const known = deployment === undefined ? environment : { ...environment, deployment };
      return records.shared(environment.agent === undefined ? known : withTeam(known, reading));
    });
    this.#known.set(projectPath, { environments, isFailed: false });
  }
}
