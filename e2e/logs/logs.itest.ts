// needs: redis, control-plane
import { LogSourceState } from "@binnacle/proto/logs-enums";
import { eventually } from "@binnacle/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { CANARY, LogsScene, PODS } from "./logs-scene.ts";
import { ReceivedLogs } from "./received-logs.ts";

const scene = new LogsScene();
/** Lines of each pod that are written while it is followed: for some of them a read must give its place up. */
const NEW_LINES = 20;
const WITHIN_MS = 50_000;

beforeAll(() => scene.start());
afterAll(() => scene.stop());

describe.each(["near", "far"] as const)("through the %s kas", (kas) => {
  const open = (token: string, query: Parameters<typeof ReceivedLogs.open>[2]): Promise<ReceivedLogs> =>
    ReceivedLogs.open(scene.kas[kas].addresses.k8sProxy ?? "", token, query);

  test("more containers are followed than the agent reads at a time: no line is missing, none comes twice", async () => {
    const received = await open("member-1", { targets: [{ namespace: "app" }], follow: true });
    expect(received.status).toBe(200);
    const countOf = (id: number): number => received.lines.get(id)?.length ?? 0;
    const haveAtLeast = (least: (id: number) => number) => () => {
      const few = [...received.sources.keys()].filter((id) => countOf(id) < least(id));
      return received.sources.size >= PODS.length && few.length === 0
        ? undefined
        : `${received.sources.size} sources, ${few.length} with few lines`;
    };
    await eventually(
      haveAtLeast(() => 1),
      WITHIN_MS,
    );
    const before = new Map([...received.sources.keys()].map((id) => [id, countOf(id)]));
    await eventually(
      haveAtLeast((id) => (before.get(id) ?? 0) + NEW_LINES),
      WITHIN_MS,
    );
    received.close();
    for (const texts of received.lines.values()) {
      const numbers = texts.flatMap((text) => /line=(\d+)/.exec(text)?.[1] ?? []).map(Number);
      expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
    }
    expect([received.gaps, [...received.sources.values()].filter(({ state }) => state === LogSourceState.OVER_LIMIT)]).toEqual([0, []]);
  });

  test("T57: a viewer without pods/log gets the missing rule, and no byte that only the agent's account may read", async () => {
    const received = await open("member-2", { targets: [{ namespace: "app", pod: "web-0" }, { namespace: "closed" }] });
    await eventually(() => (received.end === undefined ? "it goes on" : undefined), WITHIN_MS);
    expect(received.end?.reason).toBe("");
    const states = [...received.sources.values()].map(({ namespace, state, roleYaml }) => [
      namespace,
      { state, hasRule: roleYaml.includes("pods/log") },
    ]);
    const refused = { state: LogSourceState.REFUSED, hasRule: true };
    expect(states).toHaveLength(2);
    expect(Object.fromEntries(states)).toEqual({ app: refused, closed: refused });
    expect([received.lines.size, Buffer.concat(received.bytes).includes(CANARY)]).toEqual([0, false]);
    const audited = scene.audited();
    expect(audited.length).toBeGreaterThan(0);
    expect(audited.filter(({ impersonatedUser }) => impersonatedUser === undefined)).toEqual([]);
  });
});

test("who may use the agent as the agent reads what its account may: the canary is there", async () => {
  const received = await ReceivedLogs.open(scene.kas.near.addresses.k8sProxy ?? "", "user-1", { targets: [{ namespace: "closed" }] });
  await eventually(() => (received.end === undefined ? "it goes on" : undefined), WITHIN_MS);
  expect(Buffer.concat(received.bytes).includes(CANARY)).toBe(true);
  expect([...received.lines.values()].flat().length).toBeGreaterThan(3);
});
