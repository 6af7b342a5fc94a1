// needs: redis, control-plane
import { LogSourceState } from "@binnacle/proto/logs-enums";
import { eventually } from "@binnacle/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { CANARY, LogsScene, PODS } from "./logs-scene.ts";
import { ToldLogs } from "./told-logs.ts";

const scene = new LogsScene();
/** Lines of each pod that are written while it is followed: for some of them a read must give its place up. */
const NEW_LINES = 20;
const WITHIN_MS = 50_000;

beforeAll(() => scene.start());
afterAll(() => scene.stop());

describe.each(["near", "far"] as const)("through the %s kas", (kas) => {
  const open = (token: string, query: Parameters<typeof ToldLogs.open>[2]): Promise<ToldLogs> =>
    ToldLogs.open(scene.kas[kas].addresses.k8sProxy ?? "", token, query);

  test("more containers are followed than the agent reads at a time: no line is missing, none comes twice", async () => {
    const told = await open("member-1", { targets: [{ namespace: "app" }], follow: true });
    expect(told.status).toBe(200);
    const countOf = (id: number): number => told.lines.get(id)?.length ?? 0;
    const haveAtLeast = (least: (id: number) => number) => () => {
      const few = [...told.sources.keys()].filter((id) => countOf(id) < least(id));
      return told.sources.size >= PODS.length && few.length === 0
        ? undefined
        : `${told.sources.size} sources, ${few.length} with few lines`;
    };
    await eventually(
      haveAtLeast(() => 1),
      WITHIN_MS,
    );
    const before = new Map([...told.sources.keys()].map((id) => [id, countOf(id)]));
    await eventually(
      haveAtLeast((id) => (before.get(id) ?? 0) + NEW_LINES),
      WITHIN_MS,
    );
    told.close();
    for (const texts of told.lines.values()) {
      const numbers = texts.flatMap((text) => /line=(\d+)/.exec(text)?.[1] ?? []).map(Number);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    }
    expect([told.gaps, [...told.sources.values()].filter(({ state }) => state === LogSourceState.OVER_LIMIT)]).toEqual([0, []]);
  });

  test("T57: a viewer without pods/log gets the missing rule, and no byte that only the agent's account may read", async () => {
    const told = await open("member-2", { targets: [{ namespace: "app", pod: "web-0" }, { namespace: "closed" }] });
    await eventually(() => (told.end === undefined ? "it goes on" : undefined), WITHIN_MS);
    expect(told.end?.reason).toBe("");
    const states = [...told.sources.values()].map(({ namespace, state, roleYaml }) => [
      namespace,
      { state, hasRule: roleYaml.includes("pods/log") },
    ]);
    const refused = { state: LogSourceState.REFUSED, hasRule: true };
    expect(states).toHaveLength(2);
    expect(Object.fromEntries(states)).toEqual({ app: refused, closed: refused });
    expect([told.lines.size, Buffer.concat(told.bytes).includes(CANARY)]).toEqual([0, false]);
    const audited = scene.audited();
    expect(audited.length).toBeGreaterThan(0);
    expect(audited.filter(({ impersonatedUser }) => impersonatedUser === undefined)).toEqual([]);
  });
});

test("who may use the agent as the agent reads what its account may: the canary is there", async () => {
  const told = await ToldLogs.open(scene.kas.near.addresses.k8sProxy ?? "", "user-1", { targets: [{ namespace: "closed" }] });
  await eventually(() => (told.end === undefined ? "it goes on" : undefined), WITHIN_MS);
  expect(Buffer.concat(told.bytes).includes(CANARY)).toBe(true);
  expect([...told.lines.values()].flat().length).toBeGreaterThan(3);
});
