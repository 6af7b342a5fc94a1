import { expect, type Page } from "@playwright/test";

import type { NodeReader } from "./node-reader.ts";
import type { OperatorObjects } from "./operator-objects.ts";
import type { Moment, Operator, OperatorHealth } from "./operator.ts";

/** The health of one object at one moment, from each source. */
export interface Observation {
  /** Kind and name, "Kiln first". */
  readonly resource: string;
  readonly what: string;
  readonly person: OperatorHealth;
  readonly page: string;
  readonly api: string;
  /** What the API gave as the reason, where the person names one too. */
  readonly words?: { readonly person: string; readonly api: string };
}

/** Whom a story asks. */
export interface Readers {
  readonly page: Page;
  readonly reader: NodeReader;
}

/** A custom kind is found within 20 s, a change is there at once; a busy machine takes longer for both. */
const PATIENCE_MS = 90_000;
const LEAVES: Moment = { what: "is deleted and held", says: "progressing" };

/**
 * Leads two objects of each operator through its life, the second one moment behind the first, and asks after each moment until page, API
 * and person agree. Where they never do, the last answers are kept: each operator has a test that finds them.
 */
export class OperatorStory {
  readonly observations: Observation[] = [];
  readonly #objects: OperatorObjects;
  readonly #operators: readonly Operator[];

  constructor(objects: OperatorObjects, operators: readonly Operator[]) {
    this.#objects = objects;
    this.#operators = operators;
  }

  async drive(readers: Readers): Promise<void> {
    const moments = Math.max(...this.#operators.map(({ life }) => life.length)) + 1;
    for (let at = 0; at < moments; at += 1) {
      const now = await Promise.all(
        this.#operators.map(async (operator) => {
          const first = await this.#live(operator, "first", at);
          return at === 0 ? [first] : [first, await this.#live(operator, "second", at - 1)];
        }),
      );
      this.observations.push(...(await agreement(now.flat(), readers)));
    }
    for (const operator of this.#operators) await this.#objects.release(operator, "first");
  }

  /** @returns what a person says then */
  async #live(operator: Operator, name: string, at: number): Promise<Observation> {
    const moment = operator.life[at] ?? LEAVES;
    if (at === 0) await this.#objects.create(operator, name);
    if (moment === LEAVES) await this.#objects.leave(operator, name);
    else await this.#objects.write(operator, name, moment);
    const words = moment.words === undefined ? {} : { words: { person: moment.words, api: "" } };
    return { resource: `${operator.kind} ${name}`, what: moment.what, person: moment.says, page: "", api: "", ...words };
  }
}

/** Asks page and API of all objects at once, until they say what the person says, or the patience is over. */
async function agreement(expected: readonly Observation[], { page, reader }: Readers): Promise<readonly Observation[]> {
  let observations = expected;
  const disagreeing = async (): Promise<number> => {
    const cards = await healthOnPage(page);
    observations = expected.map((each) => {
      const { says, words } = reader.answerOf(each.resource) ?? { says: "not there", words: "" };
      const reason = each.words === undefined ? {} : { words: { ...each.words, api: words } };
      return { ...each, page: cards.get(each.resource) ?? "not there", api: says, ...reason };
    });
    return observations.filter(({ person, ...one }) => one.page !== person || one.api !== person || one.words?.api !== one.words?.person)
      .length;
  };
  await expect
    .poll(disagreeing, { timeout: PATIENCE_MS })
    .toBe(0)
    .catch(() => undefined);
  return observations;
}

/** Of everything that the page draws, as cards or as rows: kind and name with the word of its health. */
export async function healthOnPage(page: Page): Promise<ReadonlyMap<string, string>> {
  const drawn = await page.locator("[data-node-id][data-health]").evaluateAll((elements) =>
    elements.map((element): [string, string] => {
      // "group/Kind/namespace/name".
      const [, kind = "", , name = ""] = element.getAttribute("data-node-id")?.split("/") ?? [];
      return [`${kind} ${name}`, element.getAttribute("data-health") ?? ""];
    }),
  );
  return new Map(drawn);
}
