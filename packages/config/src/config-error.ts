/** One mistake: where it is (`agent.listen.address`) and what is wrong with it. */
export interface ConfigProblem {
  readonly path: string;
  readonly message: string;
}

/** A configuration that cannot be used. Its message lists every mistake, one a line, so that one run shows them all. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(source: string, problems: readonly ConfigProblem[]) {
    super(
      [`${source} cannot be used:`, ...problems.map(({ path, message }) => `  ${path === "" ? "(whole file)" : path}: ${message}`)].join(
        "\n",
      ),
    );
    this.name = "ConfigError";
    this.problems = problems;
  }
}
