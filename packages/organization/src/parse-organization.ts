import { ConfigError, problemsOf, type ConfigProblem } from "@binnacle/config";
import { isNode, LineCounter, parseDocument, type Document } from "yaml";

import { fullAgentName, Organization } from "./organization.ts";
import { parseState } from "./state-file.ts";
import { organizationSchema, type OrganizationData } from "./organization-schema.ts";

/** One file of an organization. */
export interface OrganizationText {
  readonly file: string;
  readonly text: string;
}

interface ParsedFile {
  readonly data: OrganizationData;
  /** Where a value is: "file:line:column". @param path "projects.0.id" */
  readonly locate: (path: string) => string;
}

/** Two names for one thing, or a name of nothing, is one mistake each; more are not listed. */
const MAX_PROBLEMS = 100;

/**
 * Reads an organization from the texts of its files.
 *
 * @param state what users changed on pages; absent: nothing
 * @throws ConfigError with file, line and column of every mistake, at most 100
 */
export function parseOrganization(texts: readonly OrganizationText[], state?: OrganizationText): Organization {
  const problems: ConfigProblem[] = [];
  const files: ParsedFile[] = [];
  for (const text of texts) {
    const parsed = parseFile(text);
    if (Array.isArray(parsed)) problems.push(...parsed);
    else files.push(parsed);
  }
  if (problems.length === 0) problems.push(...duplicates(files), ...missingReferences(files));
  if (problems.length > 0) throw new ConfigError("the organization", problems.slice(0, MAX_PROBLEMS));
  const data: OrganizationData = {
    projects: files.flatMap(({ data }) => data.projects),
    agents: files.flatMap(({ data }) => data.agents),
    users: files.flatMap(({ data }) => data.users),
  };
  return new Organization(data, state === undefined ? [] : parseState(state.file, state.text).tokens);
}

function parseFile({ file, text }: OrganizationText): ParsedFile | ConfigProblem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { version: "1.2", uniqueKeys: true, prettyErrors: false, lineCounter: lines });
  const at = (offset: number): string => `${file}:${placeOf(lines, offset)}`;
  if (document.errors.length > 0) return document.errors.map(({ pos: [start], message }) => ({ path: at(start), message }));
  const locate = (path: string): string => at(offsetOf(document, path));
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    return [{ path: file, message: error instanceof Error ? error.message : String(error) }];
  }
  const result = organizationSchema.safeParse(content);
  if (result.success) return { data: result.data, locate };
  return problemsOf(result.error).map(({ path, message }) => problemAt(locate, path, message));
}

function problemAt(locate: ParsedFile["locate"], path: string, message: string): ConfigProblem {
  return { path: path === "" ? locate(path) : `${locate(path)}: ${path}`, message };
}

/** Offset of the value at a path, or of the nearest one around it that exists. */
function offsetOf(document: Document, path: string): number {
  const names = path.split(".");
  for (let length = names.length; length > 0; length -= 1) {
    const node = document.getIn(names.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** "line:column", both from 1. */
function placeOf(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${Math.max(1, line)}:${Math.max(1, col)}`;
}

/** A name that no other entry may have. */
interface UniqueName {
  /** Of what: names of two kinds may be equal. */
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

function duplicates(files: readonly ParsedFile[]): ConfigProblem[] {
  const seen = new Map<string, string>();
  return files.flatMap(({ data, locate }) =>
    uniqueNames(data).flatMap(({ kind, name, path }) => {
      const key = `${kind}\0${name}`;
      const first = seen.get(key);
      if (first !== undefined) return [problemAt(locate, path, `is the same as at ${first}`)];
      seen.set(key, locate(path));
      return [];
    }),
  );
}

function uniqueNames({ projects, agents, users }: OrganizationData): UniqueName[] {
  return [
    ...projects.flatMap(({ id, path, environments }, at) => [
      { kind: "project id", name: String(id), path: `projects.${at}.id` },
      { kind: "project", name: path.toLowerCase(), path: `projects.${at}.path` },
      ...environments.map(({ name }, index) => {
        return { kind: `environment of ${path}`, name, path: `projects.${at}.environments.${index}.name` };
      }),
    ]),
    ...agents.flatMap(({ id, name, project, tokens }, at) => [
      { kind: "agent id", name: String(id), path: `agents.${at}.id` },
      { kind: "agent", name: `${project}:${name}`, path: `agents.${at}.name` },
      ...tokens.map((hash) => ({ kind: "agent token", name: hash, path: `agents.${at}.tokens` })),
    ]),
    ...users.flatMap(({ name, tokens }, at) => [
      { kind: "user", name, path: `users.${at}.name` },
      ...tokens.map(({ hash }, index) => ({ kind: "user token", name: hash, path: `users.${at}.tokens.${index}.hash` })),
    ]),
  ];
}

/** Agents of unknown projects, and environments of unknown agents. */
function missingReferences(files: readonly ParsedFile[]): ConfigProblem[] {
  const projects = new Set(files.flatMap(({ data }) => data.projects.map(({ path }) => path)));
  const agents = new Set(files.flatMap(({ data }) => data.agents.map(({ project, name }) => `${project}:${name}`)));
  return files.flatMap(({ data, locate }) => [
    ...data.agents.flatMap(({ project }, index) =>
      projects.has(project) ? [] : [problemAt(locate, `agents.${index}.project`, `is not in projects: ${project}`)],
    ),
    ...data.projects.flatMap(({ path, environments }, at) =>
      environments.flatMap(({ agent }, index) => {
        const name = agent === undefined ? undefined : fullAgentName(path, agent);
        if (name === undefined || agents.has(name)) return [];
        return [problemAt(locate, `projects.${at}.environments.${index}.agent`, `is not in agents: ${name}`)];
      }),
    ),
  ]);
}
