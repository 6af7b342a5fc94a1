import { readdirSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";
import { parse } from "yaml";

import type { KubeObject } from "@binnacle/kube";

import { factOf } from "./fact.ts";
import { health } from "./health.ts";
import type { HealthContext } from "./health-result.ts";

const FIXTURES = new URL("../fixtures/", import.meta.url);
const NOW = "2026-01-01T12:00:00Z";

interface Case {
  readonly name: string;
  readonly resource: KubeObject;
  readonly context?: HealthContext;
}

function read(path: string): string {
  return readFileSync(new URL(path, FIXTURES), "utf8");
}

/** Cases of the files that hold manifests, of the file with inline objects, and of our own files. */
function allCases(): Case[] {
  const manifests = ["gitops-engine", "kstatus"].flatMap((folder) =>
    readdirSync(new URL(`health-cases/${folder}/`, FIXTURES))
      .sort()
      .map((file) => ({ name: `${folder}/${file}`, resource: parse(read(`health-cases/${folder}/${file}`)) as KubeObject })),
  );
  // The files are ours and have this shape; cases.test.ts fails on another.
  const { cases } = JSON.parse(read("health-cases/cases-ours.json")) as { cases: Case[] };
  const own = readdirSync(new URL("own-cases/", FIXTURES))
    .sort()
    .map((file) => ({ ...(JSON.parse(read(`own-cases/${file}`)) as Omit<Case, "name">), name: file }));
  return [...manifests, ...cases, ...own];
}

// UI, API and tests say the same words: a change of one shows here, and is accepted with `npx vitest run -u packages/health`.
test("every case is answered in the words that are written down", async () => {
  const answers = allCases().map(({ name, resource, context }) => {
    const result = health(resource, { now: NOW, ...context });
    return { case: name, fact: factOf(resource, context?.related), ...(result ?? { status: null }) };
  });
  await expect(`${JSON.stringify(answers, null, 1)}\n`).toMatchFileSnapshot("../fixtures/words.json");
});
