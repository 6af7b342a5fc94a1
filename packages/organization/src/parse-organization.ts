import { ConfigError, problemsOf, type ConfigProblem } from "@binnacle/config";
import { isNode, LineCounter, parseDocument, type Document } from "yaml";

import { Organization } from "./organization.ts";
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
 * @throws ConfigError with file, line and column of every mistake, at most 100
 */
export function parseOrganization(texts: readonly OrganizationText[]): Organization {
  const problems: ConfigProblem[] = [];
  const files: ParsedFile[] = [];
  for (const text of texts) {
    const parsed = parseFile(text);
    if (Array.isArray(parsed)) problems.push(...parsed);
    else files.push(parsed);
  }
  if (problems.length === 0) problems.push(...duplicates(files), ...missingReferences(files));
  if (problems.length > 0) throw new ConfigError("the organization", problems.slice(0, MAX_PROBLEMS));
  return new Organization({
    projects: files.flatMap(({ data }) => data.projects),
    agents: files.flatMap(({ data }) => data.agents),
  });
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

function duplicates(files: readonly ParsedFile[]): ConfigProblem[] {
  return [
    ...duplicatesOf(files, ({ projects }) => projects, {
      projects: { id: ({ id }) => [String(id)], path: ({ path }) => [path.toLowerCase()] },
    }),
    ...duplicatesOf(files, ({ agents }) => agents, {
      agents: { id: ({ id }) => [String(id)], name: ({ project, name }) => [`${project}:${name}`], tokens: ({ tokens }) => tokens },
    }),
  ];
}

/** @param unique by list and key, the names of an entry that no other entry may have */
function duplicatesOf<T>(
  files: readonly ParsedFile[],
  entriesOf: (data: OrganizationData) => readonly T[],
  unique: Readonly<Record<string, Readonly<Record<string, (entry: T) => readonly string[]>>>>,
): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const rules = Object.entries(unique).flatMap(([list, keys]) => Object.entries(keys).map(([key, namesOf]) => ({ list, key, namesOf })));
  for (const { list, key, namesOf } of rules) {
    const seen = new Map<string, string>();
    for (const { data, locate } of files) {
      entriesOf(data).forEach((entry, index) => {
        for (const name of namesOf(entry)) {
          const path = `${list}.${index}.${key}`;
          const first = seen.get(name);
          if (first === undefined) seen.set(name, locate(path));
          else problems.push(problemAt(locate, path, `is the same as at ${first}`));
        }
      });
    }
  }
  return problems;
}

/** Agents of unknown projects. */
function missingReferences(files: readonly ParsedFile[]): ConfigProblem[] {
  const projects = new Set(files.flatMap(({ data }) => data.projects.map(({ path }) => path)));
  return files.flatMap(({ data, locate }) =>
    data.agents.flatMap(({ project }, index) =>
      projects.has(project) ? [] : [problemAt(locate, `agents.${index}.project`, `is not in projects: ${project}`)],
    ),
  );
}
