/** What an engine is started with. */
export interface EngineOptions {
  /** Root of the repository. */
  readonly root: string;
  /** Globs of the test files, relative to the root. */
  readonly include: readonly string[];
}

/** One run of the tests, with one file replaced or none. */
export interface EngineTask {
  readonly replaced?: { readonly file: string; readonly source: string };
  /** Title of a test: only the file that has it is run, and to its end. */
  readonly only?: string;
}

/** What came of it; but for a task with `only` the run stops at the first test that fails. */
export interface EngineAnswer {
  readonly passed: number;
  /** Titles of tests that failed. */
  readonly failed: readonly string[];
  /** What went wrong outside of tests: a source that does not parse, a file that throws when it is loaded. */
  readonly errors: readonly string[];
  /** How long the run took, without the start of the process. */
  readonly durationMs: number;
}
