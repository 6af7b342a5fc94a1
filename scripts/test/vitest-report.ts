/** The reporter of vitest in `npm test`: its own JSON report, and in `errors` what went wrong outside of tests, which that leaves out. */
import { readFileSync, writeFileSync } from "node:fs";

import { JsonReporter, type Reporter, type TestModule } from "vitest/node";

type OutsideError = Parameters<NonNullable<Reporter["onTestRunEnd"]>>[1][number];

/** Loaded by vitest by its path; writes to the file that VITEST_REPORT names. */
export default class ReportWithErrors extends JsonReporter {
  readonly #file: string;

  constructor() {
    const file = process.env["VITEST_REPORT"];
    if (file === undefined) throw new Error("VITEST_REPORT names no file: the report would be lost");
    super({ outputFile: file });
    this.#file = file;
  }

  override async onTestRunEnd(testModules: readonly TestModule[], outside: readonly OutsideError[] = []): Promise<void> {
    await super.onTestRunEnd(testModules);
    const report: unknown = JSON.parse(readFileSync(this.#file, "utf8"));
    const errors = outside.map(({ name, message }) => ({ message: `${name ?? "Error"}: ${message}` }));
    writeFileSync(this.#file, JSON.stringify({ ...(report as object), errors }));
  }
}
