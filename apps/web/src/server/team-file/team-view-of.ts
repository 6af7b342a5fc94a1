import { isDeepStrictEqual } from "node:util";

import type { ViewScope } from "@binnacle/environment-view";
import type { LabelSelector } from "@binnacle/graph";
import { sleep, type Clock } from "@binnacle/rpc";
import { quoted, words, type Words } from "@binnacle/words";

import { encodeUrlState, parseUrlState } from "../../features/address/url-state.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";
import { TEAM_FILE_PATH, type EnvironmentEntry } from "./team-file-schema.ts";
import type { TeamReading, TeamFiles } from "./team-files.ts";
import type { TeamFileProblem } from "./team-yaml.ts";
import type { PageLink, TeamView } from "../main-application/team-view.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";

/** Maximum of problems that are listed one by one. */
const MAX_LISTED = 20;
const MAX_PATH = 200;
/** Maximum of kinds that are listed by name. */
const MAX_KINDS = 10;
const MAX_VIEWS = 20;

/** The environment with what the team's file says of it. Rights are no matter of the file: whatever it names is read as the viewer. */
export function withTeam<T extends EnvironmentRecord>(environment: T, reading: TeamReading): T {
  return { ...environment, team: teamViewOf(environment, reading) };
}

/**
 * The environment as it is shown while there are too many sets of rules for its own to be one of them: it says so, and nothing of their
 * work.
 */
export function withoutTeamRules<T extends EnvironmentRecord>(environment: T): T {
  if (environment.team === undefined) return environment;
  const { rules: _, notices, ...team } = environment.team;
  const stay = notices.filter(({ id }) => id !== "team-file/hidden" && id !== "team-file/ignored");
  return { ...environment, team: { ...team, notices: [words("team-file/no-place", FILE), ...stay] } };
}

/** What the file says of an environment. */
function teamViewOf(environment: Pick<EnvironmentRecord, "name" | "namespace">, reading: TeamReading): TeamView {
  if (reading.kind !== "read") return { notices: reading.kind === "absent" ? [] : [words(`team-file/${reading.kind}`, FILE)] };
  const { file, environments, rules } = reading.read;
  const found = environments.of(environment.name);
  const notices = [
    ...(reading.isKept ? [words("team-file/kept", FILE)] : []),
    ...fileNotices(file.problems),
    // Kinds that are hidden, or left out of the roll-up, are listed, so that a Healthy status never hides them silently.
    ...kindNotices("team-file/hidden", rules?.hidden),
    ...kindNotices("team-file/ignored", rules?.ignored),
  ];
  return {
    ...(found === undefined ? {} : { scope: scopeOfEntry(found.entry, environment.namespace) }),
    ...(rules === undefined ? {} : { rules }),
    ...(file.views.size === 0 ? {} : { views: [...file.views].slice(0, MAX_VIEWS).map(([name, query]) => linkOf(name, query)) }),
    notices,
  };
}

/** What is wrong in the file, for people: the first problems one by one. */
export function fileNotices(problems: readonly TeamFileProblem[]): readonly Words[] {
  const listed = problems.slice(0, MAX_LISTED).map(({ line, path, message }) =>
    // What is about the file as a whole has no path.
    words("team-file/problem", { ...FILE, line, path: path === "" ? undefined : path.slice(0, MAX_PATH), what: quoted(message) }),
  );
  const more = problems.length - listed.length;
  return more > 0 ? [...listed, words("team-file/more", { ...FILE, count: more })] : listed;
}

function kindNotices(id: "team-file/hidden" | "team-file/ignored", kinds: readonly string[] = []): Words[] {
  if (kinds.length === 0) return [];
  const more = kinds.length - MAX_KINDS;
  const names = more > 0 ? words("list/more", { names: kinds.slice(0, MAX_KINDS), more }) : kinds;
  return [words(id, { ...FILE, count: kinds.length, kinds: names })];
}

function linkOf(name: string, query: string): PageLink {
  return { name, query: encodeUrlState(parseUrlState(new URLSearchParams(query))) };
}

const FILE = { file: TEAM_FILE_PATH };

/** What an entry of the file shows. @param own namespace of the environment, empty: none */
export function scopeOfEntry({ namespaces, labels, inventoryId }: EnvironmentEntry, own: string): ViewScope {
  return {
    namespaces: [...new Set(namespaces ?? (own === "" ? [] : [own]))].toSorted(),
    ...(labels === undefined ? {} : { labels: selectorOf(labels) }),
    ...(inventoryId === undefined ? {} : { inventory: { tool: "cli-utils" as const, name: inventoryId } }),
  };
}

/** Sorted: the same labels in another order are the same scope, which is shared. */
function selectorOf(labels: Readonly<Record<string, string | readonly string[]>>): LabelSelector {
  const requirements = Object.entries(labels).map(([key, value]) => {
    const values = typeof value === "string" ? [value] : [...new Set(value)].toSorted();
    return { key, operator: "In" as const, values };
  });
  return { requirements: requirements.toSorted((a, b) => (a.key < b.key ? -1 : 1)) };
}

/** What a team's file is followed with. */
interface FollowContext {
  readonly teamFiles: TeamFiles;
  readonly clock: Clock;
}

/** A push to the default branch is seen within this and the 20 s of what is kept. */
const REFRESH_MS = 30_000;

/** Whether a project's file still has the same content for an environment as when it was opened. */
export class FollowedTeam {
  readonly #context: FollowContext;
  readonly #access: ViewerAccess;
  readonly #environment: EnvironmentRecord;
  #isChanged = false;

  constructor(context: FollowContext, access: ViewerAccess, environment: EnvironmentRecord) {
    this.#context = context;
    this.#access = access;
    this.#environment = environment;
  }

  /** It says something else, or may not be read any more. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Reads it again and again until it says something else, or `signal` aborts. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const before = this.#environment.team ?? { notices: [] };
    while (!signal.aborted && !this.#isChanged) {
      await sleep(this.#context.clock, REFRESH_MS, signal);
      if (signal.aborted) return;
      const reading = await this.#context.teamFiles.read(this.#access, this.#environment.projectPath);
      // While the file cannot be read, the page keeps what it shows.
      if (reading.kind === "failed" || (reading.kind === "read" && reading.isKept)) continue;
      this.#isChanged = !isDeepStrictEqual(teamViewOf(this.#environment, reading), before);
    }
    changed();
  }
}
