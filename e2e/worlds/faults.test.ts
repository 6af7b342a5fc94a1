import { EnvironmentView } from "@binnacle/environment-view";
import { ViewReader, type ReadNode } from "@binnacle/environment-view/view-reader";
import { systemClock } from "@binnacle/rpc";
import { describe, expect, test } from "vitest";

import { falseSentencesIn } from "./false-sentences.ts";
import type { FaultWorld } from "./fault-world.ts";
import { readWorlds } from "./read-worlds.ts";
import { WorldClient } from "./world-client.ts";

const NOW_MS = Date.parse("2026-01-01T12:00:00Z");
const worlds = await readWorlds(NOW_MS);

/** What a view says of a world, once all of it is in. */
async function viewOf({ objects }: FaultWorld): Promise<ViewReader> {
  const stop = new AbortController();
  const startedMs = performance.now();
  const clock = { ...systemClock, now: () => NOW_MS + performance.now() - startedMs };
  const view = new EnvironmentView({ client: new WorldClient(objects), clock, scope: { namespaces: ["app"] } });
  const ended = view.run(stop.signal);
  const reader = new ViewReader();
  for await (const message of view.watch(stop.signal)) {
    reader.take(message);
    if (reader.complete && (!hasCertificate(objects) || issuesOf(reader).length > 0)) break;
  }
  stop.abort();
  await ended;
  return reader;
}

/** A certificate is read when the object that names it is known: that comes after the rest. */
function hasCertificate(objects: FaultWorld["objects"]): boolean {
  return objects.some((object) => object.kind === "Secret");
}

function issuesOf({ health }: ViewReader): NonNullable<ViewReader["health"]>["issues"] {
  return health?.issues ?? [];
}

function nodeOf(reader: ViewReader, name: string): ReadNode {
  const node = [...reader.nodes.values()].find(({ ref }) => `${ref.kind} ${ref.name}` === name);
  if (node === undefined) throw new Error(`the view has no ${name}`);
  return node;
}

/** Cause, next step and since, where the world says that they stand; the words of the chain are a part of the cause. */
function textsIn(reader: ViewReader, { of, place }: FaultWorld["says"]): { cause: string; next: string; since: string | undefined } {
  if (place === "issue" || place === "not-counted") {
    const listed = place === "issue" ? issuesOf(reader) : (reader.health?.uncounted ?? []);
    const issue = listed.find(({ members }) => members.some(({ ref }) => `${ref?.kind} ${ref?.name}` === of));
    const chain = (issue?.why?.chain ?? []).map(({ words }) => words);
    return { cause: [issue?.words, ...chain].join("\n"), next: issue?.next ?? "", since: issue?.since };
  }
  const { health, notices } = nodeOf(reader, of);
  if (place === "notice")
    return {
      cause: notices.map(({ words }) => words).join("\n"),
      next: notices.map(({ next }) => next).join("\n"),
      since: notices[0]?.since,
    };
  return { cause: `${health?.why?.words}`, next: `${health?.why?.next}`, since: health?.why?.firstBadAt };
}

describe("a view of a world says what is wrong, since when, and what to do", () => {
  test.each(worlds)("$id: $fault", async (world) => {
    const { cause, chain = [], next = [], place, issues = place === "issue" ? 1 : 0 } = world.says;
    const reader = await viewOf(world);
    const texts = textsIn(reader, world.says);
    expect({
      lacksOfCause: [...cause, ...chain].filter((words) => !texts.cause.includes(words)),
      lacksOfNext: next.filter((words) => !texts.next.includes(words)),
      since: texts.since,
      issues: reader.health?.issuesTotal,
    }).toEqual({ lacksOfCause: [], lacksOfNext: [], since: world.says.since, issues });
  });
});

test("none of the sentences that were false is rendered for all worlds at once", async () => {
  const reader = await viewOf({ ...(worlds[0] as FaultWorld), objects: worlds.flatMap(({ objects }) => objects) });
  const issues = [...issuesOf(reader), ...(reader.health?.uncounted ?? [])].flatMap(({ words, next, why }) => [
    words,
    next,
    ...(why?.chain ?? []).map((link) => link.words),
  ]);
  const nodes = [...reader.nodes.values()].flatMap(({ ref, health, notices }) => [
    `${ref.kind} ${ref.name}: ${health?.words ?? ""}`,
    health?.why?.words,
    health?.why?.next,
    ...notices.flatMap(({ words, next }) => [words, next]),
  ]);
  const texts = [...issues, ...nodes].filter((words) => words !== undefined);
  expect(texts.length).toBeGreaterThan(worlds.length);
  expect(falseSentencesIn(texts.join("\n"))).toEqual([]);
});

test("no two worlds are about objects of one name, so that all fit into one cluster", () => {
  const named = worlds.map(({ says }) => says.of);
  expect([...new Set(named)]).toEqual(named);
});
