import { createHash } from "node:crypto";

import type { StandInEnvironment } from "./stand-in-main-application.ts";

/** A query as the stand-in receives it. */
interface GroupsQuery {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly username: string;
  /** The node of an environment in a response. */
  readonly nodeOf: (environment: StandInEnvironment) => Record<string, unknown>;
}

/** Groups and projects of the stand-in, with the environments of each; those of a viewer are all but the withheld ones. */
export class StandInGroups {
  /** Environments by the full path of their project. Empty: there is only "group/app", as the stand-in has it. */
  readonly projects = new Map<string, readonly StandInEnvironment[]>();
  /** "<user> <path of a project>": the user may not see it. */
  readonly withheld = new Set<string>();
  /** Projects whose environments cannot be read. */
  readonly broken = new Set<string>();
  /** Commits of "<project> <base>..<head>", for who may read the repository. */
  readonly ranges = new Map<string, number>();
  /** Queries for environments of many projects that run, and the most that ever ran together. */
  readonly running = { now: 0, most: 0 };
  /** Ranges of commits that were requested, in order. */
  readonly rangesRead: string[] = [];
  /** It is of before GraphQL listed groups. */
  knowsNoGroups = false;

  /** Whether there is such a project, and this user may see it. */
  mayRead(username: string, fullPath: string): boolean {
    return this.projects.has(fullPath) && !this.withheld.has(`${username} ${fullPath}`);
  }

  /** `data` of a query that is about groups or many projects, or `undefined` for all others; "refused": it has no such field. */
  answer({ query, variables, username, nodeOf }: GroupsQuery): Record<string, unknown> | "refused" | undefined {
    const visible = [...this.projects.keys()].filter((path) => this.mayRead(username, path));
    const nodes = visible.map((fullPath) => ({ id: idOf(fullPath), name: fullPath.split("/").at(-1) ?? "", fullPath }));
    if (query.startsWith("query Groups(")) {
      if (this.knowsNoGroups) return "refused";
      return {
        groups: pageOf(
          groupsOf(visible).map((fullPath) => ({ name: fullPath.toUpperCase(), fullPath })),
          variables,
        ),
      };
    }
    if (query.startsWith("query ProjectsOfGroup(")) {
      const fullPath = String(variables["group"]);
      const within = nodes.filter((node) => node.fullPath.startsWith(`${fullPath}/`));
      return { group: within.length === 0 ? null : { fullPath, projects: pageOf(within, variables) } };
    }
    if (query.startsWith("query Projects(") && this.projects.size > 0) return { projects: pageOf(nodes, variables) };
    if (!query.startsWith("query ManyEnvironments(") || this.projects.size === 0) return undefined;
    const ids: readonly unknown[] = [variables["ids"]].flat();
    const found = nodes.filter(({ id }) => ids.includes(id));
    return {
      projects: {
        nodes: found.map((node) => ({
          ...node,
          repository: { blobs: { nodes: [] } },
          environments: this.broken.has(node.fullPath)
            ? null
            : pageOf((this.projects.get(node.fullPath) ?? []).map(nodeOf), { ...variables, size: variables["first"] }),
        })),
      },
    };
  }

  /** Content of a REST response about commits, for who may read the repository; `undefined` for all others. */
  commitsOf(path: string, mayRead: boolean): readonly unknown[] | undefined {
    const url = new URL(path, "http://stand-in");
    const project = decodeURIComponent(/\/projects\/([^/]+)\/repository\/commits$/.exec(url.pathname)?.[1] ?? "");
    const range = `${project} ${url.searchParams.get("ref_name") ?? ""}`;
    this.rangesRead.push(range);
    const count = this.ranges.get(range);
    return mayRead && count !== undefined ? Array.from({ length: count }, (_, index) => ({ id: String(index) })) : undefined;
  }
}

/** The gid of a project. */
function idOf(fullPath: string): string {
  return `gid://gitlab/Project/${Number.parseInt(createHash("sha256").update(fullPath).digest("hex").slice(0, 12), 16)}`;
}

function groupsOf(paths: readonly string[]): readonly string[] {
  const groups = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/");
    for (let length = 1; length < parts.length; length += 1) groups.add(parts.slice(0, length).join("/"));
  }
  return [...groups].toSorted();
}

function pageOf(nodes: readonly unknown[], { after, size = 100 }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const from = typeof after === "string" ? Number(after) : 0;
  const end = from + Number(size);
  return { nodes: nodes.slice(from, end), pageInfo: { hasNextPage: end < nodes.length, endCursor: String(end) } };
}
