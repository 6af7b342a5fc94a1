import { isNode, LineCounter, parseDocument, type Document } from "yaml";
import type { z } from "zod";

import { Organization } from "./organization.ts";
import { OrganizationError, type OrganizationProblem } from "./organization-error.ts";
import { organizationSchema, type OrganizationData } from "./organization-schema.ts";

/** One file of an organization. */
export interface OrganizationText {
  readonly file: string;
  readonly text: string;
}

type Path = readonly PropertyKey[];

interface ParsedFile {
  readonly file: string;
  readonly data: OrganizationData;
  /** Problem at a place of this file. */
  readonly problem: (path: Path, message: string) => OrganizationProblem;
}

/** Two names for one thing, or a name of nothing, is one mistake each; more are not listed. */
const MAX_PROBLEMS = 100;

/**
 * Reads an organization from the texts of its files.
 *
 * @throws OrganizationError with file, line and column of every mistake, at most 100
 */
export function parseOrganization(texts: readonly OrganizationText[]): Organization {
  const problems: OrganizationProblem[] = [];
  const files: ParsedFile[] = [];
  for (const text of texts) {
    const parsed = parseFile(text);
    if (Array.isArray(parsed)) problems.push(...parsed);
    else files.push(parsed);
  }
  if (problems.length === 0) problems.push(...duplicates(files), ...missingReferences(files));
  if (problems.length > 0) throw new OrganizationError(problems.slice(0, MAX_PROBLEMS));
  return new Organization({
    projects: files.flatMap(({ data }) => data.projects),
    agents: files.flatMap(({ data }) => data.agents),
  });
}

function parseFile({ file, text }: OrganizationText): ParsedFile | OrganizationProblem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { version: "1.2", uniqueKeys: true, prettyErrors: false, lineCounter: lines });
  if (document.errors.length > 0) {
    return document.errors.map(({ pos: [start], message }) => ({ file, ...placeOf(lines, start), path: "", message }));
  }
  const problem = (path: Path, message: string): OrganizationProblem => ({
    file,
    ...placeOf(lines, offsetOf(document, path)),
    path: path.map(String).join("."),
    message,
  });
  let content: unknown;
  try {
    content = document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch (error) {
    return [{ file, path: "", message: error instanceof Error ? error.message : String(error) }];
  }
  const result = organizationSchema.safeParse(content);
  return result.success ? { file, data: result.data, problem } : result.error.issues.flatMap((issue) => issueProblems(issue, problem));
}

function issueProblems(issue: z.core.$ZodIssue, problem: ParsedFile["problem"]): OrganizationProblem[] {
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => problem([...issue.path, key], "is not a known key"));
  const isMissing = issue.code === "invalid_type" && issue.message.endsWith("received undefined");
  return [problem(issue.path, isMissing ? `is missing; expected ${issue.expected}` : issue.message)];
}

/** Offset of the value at a path, or of the nearest one around it that exists. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function placeOf(lines: LineCounter, offset: number): { readonly line: number; readonly column: number } {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

function duplicates(files: readonly ParsedFile[]): OrganizationProblem[] {
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
): OrganizationProblem[] {
  const problems: OrganizationProblem[] = [];
  const rules = Object.entries(unique).flatMap(([list, keys]) => Object.entries(keys).map(([key, namesOf]) => ({ list, key, namesOf })));
  for (const { list, key, namesOf } of rules) {
    const seen = new Map<string, string>();
    for (const { data, problem } of files) {
      entriesOf(data).forEach((entry, index) => {
        for (const name of namesOf(entry)) {
          const path = [list, index, key];
          const first = seen.get(name);
          const { file, line = 1 } = problem(path, "");
          if (first === undefined) seen.set(name, `${file}:${line}`);
          else problems.push(problem(path, `is the same as at ${first}`));
        }
      });
    }
  }
  return problems;
}

/** Agents of unknown projects. */
function missingReferences(files: readonly ParsedFile[]): OrganizationProblem[] {
  const projects = new Set(files.flatMap(({ data }) => data.projects.map(({ path }) => path)));
  return files.flatMap(({ data, problem }) =>
    data.agents.flatMap(({ project }, index) =>
      projects.has(project) ? [] : [problem(["agents", index, "project"], `is not in projects: ${project}`)],
    ),
  );
}
