import { isWords, pseudoCatalogue, QUOTED, Renderer, textsOf, type FactValue, type Words } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { describe, expect, test } from "vitest";

import { healthCases, whyCases, type HealthCase } from "../fixtures/every-case.ts";
import { factOf } from "./fact.ts";
import { refOf } from "./health-ref.ts";
import { health } from "./health.ts";
import { maskCredentials } from "./mask-credentials.ts";
import { missingHealth } from "./missing-health.ts";
import { rollUp } from "./roll-up.ts";
import { whyOf, noticesOf, whyMissing } from "./why/why-of.ts";

const pseudo = new Renderer(pseudoCatalogue(ENGLISH), "en");
/** Some of the imported objects have no name, which no API server lets pass. */
const cases = [...healthCases(), ...whyCases()].filter(({ resource }) => refOf(resource).name !== "");

/** Words that are the same in every language: of commands and registries, reasons as they are for machines, the type that a Service has by default. */
const COMMANDS = ["kubectl", "logs", "-n", "-c", "--previous", "docker.io", "gone"];
/** Controllers of kinds, as their programs are called. */
const PROGRAMS = ["helm-controller", "workflow-controller"];
const OF_NO_LANGUAGE = new Set([
  ...COMMANDS,
  ...PROGRAMS,
  "Pending",
  "SchedulingGated",
  "NotReady",
  "Restarted",
  "ClusterIP",
  "NodeLost",
  "NotTaken",
]);

/** Between the parts of a name, and between the steps of a path to a field. */
const PARTS = /[\s,=]+/;
const STEPS = /[.[\]]+/;

/** All messages of a case: verdict, the fact on the card, causes, chain, root, next step, change, notices, roll-up, issues. */
function messagesOf({ resource, context }: HealthCase): Words[] {
  const result = health(resource, context);
  const why = whyOf(resource, context);
  const ref = refOf(resource);
  const hidden = [{ group: "", kind: "Secret" }];
  const gone = { ...ref, name: "gone" };
  const ghost = {
    ref: gone,
    health: missingHealth(gone.kind, gone.name, [`${ref.kind} ${ref.name}`]),
    why: whyMissing(gone, [ref, ref, ref, ref, ref]),
  };
  const roots = [{ ref, health: result, why }];
  return wordsIn([
    result,
    why,
    factOf(resource, context.related),
    noticesOf(resource, context),
    rollUp(roots, { hidden }),
    rollUp([...roots, ghost]),
    ghost,
  ]);
}

/** All messages anywhere in a value. */
function wordsIn(value: unknown): Words[] {
  if (typeof value !== "object" || value === null) return [];
  if (!Array.isArray(value) && "id" in value && "facts" in value) {
    // Nothing else of what health answers has an id and facts.
    return [value as Words];
  }
  return Object.values(value).flatMap(wordsIn);
}

/** A message and all messages in it. */
function withInner(message: Words): Words[] {
  return [message, ...Object.values(message.facts).flatMap(inner)];
}

function inner(fact: FactValue | undefined): Words[] {
  if (fact === undefined || typeof fact === "string" || typeof fact === "number") return [];
  return isWords(fact) ? withInner(fact) : fact.flatMap(inner);
}

describe("a second language", () => {
  test("every sentence of every case comes through the catalogue, but for what is quoted", () => {
    const beside = cases.flatMap((each) =>
      messagesOf(each)
        .filter(({ id }) => id !== QUOTED)
        .filter((message) => !/^⟦.*⟧$/s.test(pseudo.text(message)))
        .map((message) => `${each.name}: ${pseudo.text(message)}`),
    );
    expect(beside).toEqual([]);
  });

  test("no sentence lacks what it names: no place is left empty that is not in brackets", () => {
    const poor = cases.flatMap((each) =>
      messagesOf(each)
        .flatMap(withInner)
        .filter(({ id }) => id !== QUOTED && pseudo.text({ id, facts: {} }) !== "")
        .filter((message) => /⟦\s|\s⟧|\s{2}|⟦⟧|\(\)/.test(pseudo.text(message)))
        .map((message) => `${each.name}: ${message.id}: ${pseudo.text(message)}`),
    );
    expect([...new Set(poor)]).toEqual([]);
  });

  test("no English travels as a name: a fact that is no sentence stands in the case, or is made of what does", () => {
    const english = cases.flatMap((each) => {
      // Statuses of conditions and kinds in reports are written in other letters than they are named.
      const written = JSON.stringify([each.resource, each.context]).toLowerCase();
      return messagesOf(each)
        .flatMap(withInner)
        .filter(({ id }) => id !== QUOTED)
        .flatMap(({ id, facts }) => Object.entries(facts).flatMap(([place, fact]) => namesIn(fact).map((name) => ({ id, place, name }))))
        .filter(
          ({ place, name }) =>
            !name
              .split(place === "path" || place === "wantPath" ? STEPS : PARTS)
              .every((part) => OF_NO_LANGUAGE.has(part) || /^\d/.test(part) || written.includes(part.toLowerCase())),
        )
        .map(({ id, place, name }) => `${id} ${place}: ${name}`);
    });
    expect([...new Set(english)]).toEqual([]);
  });

  test("nothing is quoted that is not in the objects", () => {
    const ours = cases.flatMap((each) => {
      const written = blanksAsOne(maskCredentials(textsIn([each.resource, each.context]).join("\n")));
      const quotes = messagesOf(each)
        .flatMap(withInner)
        .filter(({ id }) => id === QUOTED);
      return quotes.map((quote) => blanksAsOne(textsOf(quote)).replace(/…$/, "")).filter((text) => !written.includes(text));
    });
    expect([...new Set(ours)]).toEqual([]);
  });
});

function namesIn(fact: FactValue | undefined): string[] {
  if (typeof fact === "string") return [fact];
  return fact === undefined || typeof fact === "number" || isWords(fact) ? [] : fact.flatMap(namesIn);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function blanksAsOne(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
