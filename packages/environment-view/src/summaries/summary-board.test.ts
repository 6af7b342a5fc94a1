import { EnvironmentHealthSchema, HealthStatus } from "@binnacle/proto/dashboard";
import { settle } from "@binnacle/testing";
import { quoted } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { SummaryBoard } from "./summary-board.ts";
import type { Summary, SummaryFacts } from "./summary-source.ts";

const CONNECTION = { state: "connected", sinceMs: 0 } as const;
const [A, B] = [{ namespaces: ["a"] }, { namespaces: ["b"] }];

function known(asOfMs: number, workloads = 1): SummaryFacts {
  return {
    health: create(EnvironmentHealthSchema, {
      status: HealthStatus.HEALTHY,
      counts: [{ status: HealthStatus.HEALTHY, count: 1 }],
    }),
    workloads,
    workloadsReady: 1,
    workloadsSuspended: 0,
    changedMs: 0,
    asOfMs,
    freshness: { kind: "sampled", everyMs: 30_000 },
    workloadsOnly: false,
  };
}

function board(): SummaryBoard {
  return new SummaryBoard(CONNECTION, () => {});
}

test("a reader receives everything once, then changes, and only the time when nothing else is new", () => {
  const here = board();
  const reader = here.add({ scopes: [A, B] }, () => {});
  expect(here.take(reader)).toMatchObject({ connection: CONNECTION, summaries: [{ gap: { kind: "not_looked_at" } }, {}] });
  expect(here.take(reader)).toBeUndefined();
  here.put({ scope: A, known: known(1) });
  expect(here.take(reader)).toEqual({ summaries: [{ scope: A, known: known(1) }], seen: [] });
  here.put({ scope: A, known: known(2) });
  expect(here.take(reader)).toEqual({ summaries: [], seen: [{ asOfMs: 2, scopes: [A] }] });
});

test("a reader that stalls receives the newest state, not what has piled up", async () => {
  const here = board();
  let rings = 0;
  const reader = here.add({ scopes: [A] }, () => (rings += 1));
  for (let round = 1; round <= 1_000; round += 1) {
    here.put({ scope: A, known: known(round, round) });
    here.announce();
  }
  await settle();
  expect(rings).toBe(1);
  expect(here.take(reader)?.summaries).toEqual<Summary[]>([{ scope: A, known: known(1_000, 1_000) }]);
});

test("T23: what may not be known any more is forgotten, what cannot be read now is kept", () => {
  const here = board();
  const reader = here.add({ scopes: [A, B] }, () => {});
  for (const scope of [A, B]) here.put({ scope, known: known(1) });
  here.take(reader);
  here.miss(A, { kind: "forbidden" });
  here.miss(B, { kind: "failed", words: quoted("500") });
  expect(here.take(reader)?.summaries).toEqual([
    { scope: A, gap: { kind: "forbidden" } },
    { scope: B, known: known(1), gap: { kind: "failed", words: quoted("500") } },
  ]);
});

test("scopes without a reader are forgotten; another reader retains its own", () => {
  const here = board();
  const [first, second] = [here.add({ scopes: [A, B], visible: [B] }, () => {}), here.add({ scopes: [B] }, () => {})];
  for (const scope of [A, B]) here.put({ scope, known: known(1) });
  expect(here.visible().size).toBe(1);
  here.remove(first);
  here.prune();
  expect([...here.wanted().values()]).toEqual([B]);
  expect(here.visible().size).toBe(0);
  here.want(second, { scopes: [A] });
  expect(here.take(second)?.summaries).toEqual([{ scope: A, gap: { kind: "not_looked_at" } }]);
});
