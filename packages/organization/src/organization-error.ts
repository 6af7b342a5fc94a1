/** One mistake: where it is and what is wrong with it. */
export interface OrganizationProblem {
  /** Name of the file as it was given. */
  readonly file: string;
  /** From 1; absent where the file could not be read at all. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** "projects.0.path"; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** Files that cannot be used. Its message lists every mistake, one a line: `file:line:column: path: message`. */
export class OrganizationError extends Error {
  readonly problems: readonly OrganizationProblem[];

  constructor(problems: readonly OrganizationProblem[]) {
    super(problems.map(problemText).join("\n"));
    this.name = "OrganizationError";
    this.problems = problems;
  }
}

/** A problem as one line. */
export function problemText({ file, line, column, path, message }: OrganizationProblem): string {
  const location = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return path === "" ? `${location}: ${message}` : `${location}: ${path}: ${message}`;
}
