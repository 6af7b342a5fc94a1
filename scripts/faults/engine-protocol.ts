/** What an engine is started with. */
export interface EngineOptions {
  /** Root of the repository. */
  readonly root: string;
  /** Globs of the test files, relative to the root. */
  readonly include: readonly string[];
}

/** One run of tests with one file replaced or none. */
export interface EngineTask {
  readonly replaced?: { readonly file: string; readonly source: string };
  /** Absolute paths of the test files in the order in which they run; absent: all. */
  readonly tests?: readonly string[];
  /** Run the tests to their end; else the run stops at the first test that fails. */
  readonly toEnd?: boolean;
}

/** What came of it. */
export interface EngineAnswer {
  readonly passed: number;
  /** Titles of tests that failed. */
  readonly failed: readonly string[];
  /** What went wrong outside of tests: a source that does not parse, a file that throws when it is loaded. */
  readonly errors: readonly string[];
  /** How long the run took, without the start of the process. */
  readonly durationMs: number;
  /** After a run without a replaced file. */
  readonly suite?: TestSuite;
}

/** What a run of all tests shows about them. Paths are absolute. */
export interface TestSuite {
  readonly files: readonly { readonly path: string; readonly durationMs: number; readonly titles: readonly string[] }[];
  /** Who imports a file directly: path → paths. */
  readonly importers: Readonly<Record<string, readonly string[]>>;
}
