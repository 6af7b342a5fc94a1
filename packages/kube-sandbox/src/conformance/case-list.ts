import { describe, test } from "vitest";

/** Cases that an implementation leaves out, by title, each with the reason. */
export type ExcludedCases = Readonly<Record<string, string>>;

/** Registers the cases of a suite, except those that are excluded: they are no skips, which `npm test` takes for failures. */
export class CaseList {
  readonly #excluded: ExcludedCases;
  readonly #titles = new Set<string>();
  #group: (() => void)[] | undefined;

  /** @param excluded a title stands for the case in every group that has it, so over every carrier and protocol */
  constructor(excluded: ExcludedCases = {}) {
    this.#excluded = excluded;
  }

  /** Titles that are excluded and are no case of the suite; known once all cases are added. */
  get unknown(): readonly string[] {
    return Object.keys(this.#excluded).filter((title) => !this.#titles.has(title));
  }

  /** Registers cases in a block of their own. A group without a case is left out: vitest takes it for a failure. */
  group(name: string, addCases: () => void): void {
    const cases: (() => void)[] = [];
    this.#group = cases;
    addCases();
    this.#group = undefined;
    if (cases.length === 0) return;
    // oxlint-disable-next-line vitest/valid-title -- the suite gives it
    describe(name, () => {
      for (const register of cases) register();
    });
  }

  /** A case, of the group that is being added. */
  add(title: string, run: () => Promise<void>): void {
    this.#titles.add(title);
    if (this.#excluded[title] !== undefined) return;
    // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- the suite gives both
    const register = (): void => test(title, run);
    if (this.#group === undefined) register();
    else this.#group.push(register);
  }
}
