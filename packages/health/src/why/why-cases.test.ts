import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";
import { ENGLISH_SOURCE } from "@binnacle/words/en/source";
import { PAGE } from "@binnacle/words/en/page";
import { VIEWS } from "@binnacle/words/en/view";
import { inEnglish, renderEnglish } from "@binnacle/words/render-english";

import { explain, noticed } from "./explain.ts";
import type { PrecedingChange, WhyContext } from "./why.ts";
import { whyOf, noticesOf } from "./why-of.ts";
import { ROWS } from "./rows.ts";

const FOLDER = new URL("../../fixtures/why-cases/", import.meta.url);

interface Expected {
  readonly chain: readonly object[];
  readonly reason: string;
  /** Facts of the sentence and of the next step; inner messages are in English. */
  readonly facts: object;
  readonly firstBadAt: string | null;
  readonly precededBy: object | null;
  readonly notices: readonly object[];
}

interface WhyCase {
  /** `family/row` that words it, as root or as notice. */
  readonly words: string;
  readonly why: string;
  readonly resource: KubeObject;
  readonly context: WhyContext;
  readonly expected: Expected;
}

/** One file each: adding a case is adding a file. */
const cases = readdirSync(FOLDER).map((name) => {
  // The files are ours and have this shape; a wrong one fails below.
  const content = JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as WhyCase;
  return { id: name.replace(".json", ""), ...content };
});

/** What cases say of a chain, and since when where they care: not the words of links above the root, which are those of `health`. */
function answerOf({ resource, context, expected }: WhyCase): unknown {
  const why = whyOf(resource, context);
  if (why === null) return null;
  const { chain, reason, message, nextStep, firstBadAt = null, precededBy = null } = why;
  return {
    chain: chain.map(({ level, ref: { kind, name }, container, status, reason, since }, index) => ({
      level,
      kind,
      name,
      ...(container === undefined ? {} : { container }),
      status,
      reason,
      ...("since" in (expected.chain[index] ?? {}) ? { since } : {}),
    })),
    reason,
    facts: inEnglish({ ...message.facts, ...nextStep.facts }),
    firstBadAt,
    precededBy: precededBy && changeOf(precededBy),
    notices: noticesOf(resource, context).map((notice) => ({
      reason: notice.reason,
      words: notice.message.id,
      ...(notice.since === undefined ? {} : { since: notice.since }),
    })),
  };
}

function changeOf({ what, ref, at, message }: PrecedingChange): object {
  return { what, kind: ref.kind, name: ref.name, at, words: message.id };
}

describe("cases of the why-chain", () => {
  test.each(cases)("$id: $why", (each) => {
    const { words, resource, context, expected } = each;
    expect(answerOf(each)).toEqual(expected);
    const ids = [explain(resource, context)?.id, ...noticed(resource, context).map(({ id }) => id)];
    expect(ids).toContain(words);
  });

  test.each(cases)("$id: the last link is the root, and the order of what is known does not matter", ({ resource, context }) => {
    const why = whyOf(resource, context);
    const turned = { ...context, related: context.related?.toReversed(), events: context.events?.toReversed() };
    // `undefined` is as good as absent to a function that takes any JSON.
    expect(whyOf(resource, turned as WhyContext)).toEqual(why);
    const last = why?.chain.at(-1);
    // A resource that is the root itself keeps the words of its health.
    expect(
      last?.level === "resource" || (last?.reason === why?.reason && renderEnglish(last?.message) === renderEnglish(why?.message)),
    ).toBe(true);
  });
});

test("every sentence of every family has a case", () => {
  const rows = Object.entries(ROWS).flatMap(([family, table]) => Object.keys(table).map((row) => `${family}/${row}`));
  const used = new Set(
    cases.flatMap(({ resource, context }) => [explain(resource, context)?.id ?? "", ...noticed(resource, context).map(({ id }) => id)]),
  );
  expect(rows.filter((row) => !used.has(row))).toEqual([]);
});

test("every sentence is one, and every next step tells what to do", () => {
  for (const [id, template] of Object.entries(ENGLISH_SOURCE)) {
    // These stand alone on a page and may be several, or a part of one; all others stand in lines and in other sentences.
    if (
      /^(?:agents|banner|hold|main-application|overview|problem|session|settings|sign-in|standalone|sync-issue|terminal)\//.test(id) ||
      id in PAGE ||
      id in VIEWS
    )
      continue;
    expect(template).toMatch(id.endsWith("/next") ? /^[A-Z][a-z]+\b.*\.$/ : /[^.!]$/);
  }
});

test("what is well and complete needs no explanation", () => {
  const now = "2026-01-01T12:00:00Z";
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status: { phase: "Succeeded" } };
  expect(whyOf(pod, { now, related: [], events: [], missing: [] })).toBeNull();
  expect(whyOf({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } }, { now })).toBeNull();
  expect(whyOf(pod, { now, health: null })).toBeNull();
});
