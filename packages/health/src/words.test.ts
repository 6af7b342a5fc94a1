import { renderEnglish } from "@binnacle/words/render-english";
import { expect, test } from "vitest";

import { healthCases, whyCases, type HealthCase } from "../fixtures/every-case.ts";
import { factOf } from "./fact.ts";
import { health } from "./health.ts";
import { whyOf, noticesOf } from "./why/why-of.ts";

// A change of a verdict shows here, one of a sentence below; both are accepted with `npx vitest run -u packages/health`.
test("every case is answered as it is written down", async () => {
  const answers = healthCases().map(({ name, resource, context }) => {
    const result = health(resource, context);
    if (result === null) return { case: name, fact: renderEnglish(factOf(resource, context.related)), status: null };
    const { message, because, causes, ...rest } = result;
    const named = causes.map(({ message: inner, ...cause }) => ({ ...cause, words: inner.id }));
    const fact = renderEnglish(factOf(resource, context.related));
    return { case: name, fact, ...rest, words: message.id, because: because?.id, causes: named };
  });
  await expect(`${JSON.stringify(answers, null, 1)}\n`).toMatchFileSnapshot("../fixtures/words.json");
});

test("every case is answered in the sentences that are written down", async () => {
  const verdicts = healthCases().map(({ name, resource, context }) => `${name}\n  ${renderEnglish(health(resource, context)?.message)}`);
  const sentences = [...verdicts, ...whyCases().map(sentencesOf)];
  await expect(`${sentences.join("\n\n")}\n`).toMatchFileSnapshot("../fixtures/sentences.txt");
});

/** All that people read of a case about the why-chain, a sentence a line. */
function sentencesOf({ name, resource, context }: HealthCase): string {
  const why = whyOf(resource, context);
  const lines = [
    ["", renderEnglish(health(resource, context)?.message)],
    ["root", renderEnglish(why?.message)],
    ["next", renderEnglish(why?.nextStep)],
    ["before", renderEnglish(why?.precededBy?.message)],
    ...noticesOf(resource, context).flatMap(({ message, nextStep }) => [
      ["notice", renderEnglish(message)],
      ["next", renderEnglish(nextStep)],
    ]),
  ].flatMap(([what, text]) => (text === "" ? [] : [what === "" ? `  ${text}` : `  ${what}: ${text}`]));
  return [name, ...lines].join("\n");
}
