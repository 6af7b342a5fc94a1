import type { MessageInitShape } from "@bufbuild/protobuf";
import { LogSourceState } from "@binnacle/proto/logs-enums";
import type { ReadRequestSchema } from "@binnacle/proto/kas-logs";
import { GRPC_CODE } from "@binnacle/grpc-wire";
import { nodeExpressions } from "@binnacle/pod-logs/node-expressions";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, watchLongestTurn } from "@binnacle/testing";
import { afterAll, expect, test } from "vitest";

import { gatedTransport, TurnQueue } from "./gated-transport.ts";
import { LogsCall, SourceBudget } from "./logs-call.ts";
import { ReadGate } from "./read-gate.ts";
import { LogApi } from "./testing/log-api.ts";
import { LogsReader } from "./testing/logs-reader.ts";

const MAX_READS = 20;
/** Threads keep real time. */
const expressions = nodeExpressions(systemClock);
afterAll(() => expressions.close());
const ANN = { identity: { username: "ann", groups: ["system:authenticated"] } };

/** An agent that reads logs of a stand-in. */
class Scene {
  readonly clock = new ManualClock();
  readonly gate = new ReadGate(this.clock, MAX_READS);
  readonly budget = new SourceBudget();
  readonly api: LogApi;
  ended = 0;
  readonly #turns = new TurnQueue();

  constructor(api: LogApi) {
    this.api = api;
  }

  open(): LogsReader {
    const { api, gate, budget, clock } = this;
    return new LogsReader(
      (reply) =>
        new LogsCall({
          transportAs: (identity) => gatedTransport(api.transportAs(identity), { gate, turns: this.#turns }),
          budget,
          expressions,
          clock,
          log: createLogger("agentk", "silent"),
          reply,
          ended: () => void (this.ended += 1),
        }),
    );
  }

  read(query: MessageInitShape<typeof ReadRequestSchema>["query"], viewer = ANN): LogsReader {
    const reader = this.open();
    reader.request({ viewer, query: { targets: [{ namespace: "app" }], ...query } as NonNullable<typeof query> });
    return reader;
  }

  until(condition: () => boolean): Promise<void> {
    return this.clock.advanceUntil(condition, 50);
  }
}

test("a hundred containers are followed with 20 reads at a time, and every line comes once", async () => {
  const scene = new Scene(new LogApi({ pods: 100, linesOfPod: 300 }));
  const reader = scene.read({ follow: true });
  await scene.until(() => reader.lines.length >= 30_000);
  expect([scene.api.mostOpen, scene.api.open <= MAX_READS]).toEqual([MAX_READS, true]);
  const begun = scene.api.requests.filter((request) => request.includes("follow=true")).length;
  // Every pod is read repeatedly.
  const isFollowed = (pod: string): boolean =>
    scene.api.requests.some((request) => request.includes(`/${pod}/log`) && request.includes("follow=true"));
  await scene.until(() => scene.api.pods.every(isFollowed));
  await scene.until(() => scene.api.requests.filter((request) => request.includes("follow=true")).length > begun + 200);
  expect(new Set(reader.lines.map(({ source, text }) => `${source} ${text}`)).size).toBe(30_000);
  expect(reader.lines).toHaveLength(30_000);
  expect(
    [...reader.sources.values()].filter(({ state }) => state === LogSourceState.FAILED || state === LogSourceState.OVER_LIMIT),
  ).toEqual([]);
  expect(reader.responses.some(({ message }) => message.case === "gap")).toBe(false);
  expect(scene.api.mostOpen).toBe(MAX_READS);
  reader.cancel();
  await scene.until(() => scene.api.open === 0 && scene.gate.reads === 0);
});

test("T57: every request is made as the viewer, and a viewer without pods/log is denied, whatever the agent's account may do", async () => {
  const scene = new Scene(new LogApi({ pods: 2, linesOfPod: 3 }));
  scene.api.refused.add("ann");
  const reader = scene.read({});
  await scene.until(() => reader.status !== undefined);
  expect(reader.status).toMatchObject({ code: 0 });
  expect([...reader.sources.values()].map(({ state }) => state)).toEqual([LogSourceState.REFUSED, LogSourceState.REFUSED]);
  expect([...reader.sources.values()][0]?.roleYaml).toContain("pods/log");
  expect(reader.lines).toEqual([]);
  expect(scene.api.requests.length).toBeGreaterThan(2);
  expect(scene.api.requests.every((request) => request.startsWith("ann "))).toBe(true);
});

test("a call reads no further than kas takes, while another one reads, and every line arrives once kas takes more", async () => {
  const scene = new Scene(new LogApi({ pods: 40, linesOfPod: 1_000, text: "y".repeat(500) }));
  const slow = scene.open();
  slow.isFull = true;
  slow.request({ viewer: ANN, query: { targets: [{ namespace: "app" }] } });
  const fast = scene.read({});
  await scene.until(() => fast.status !== undefined);
  expect([fast.lines.length, fast.status?.code]).toEqual([40_000, 0]);
  expect([slow.responses.length, scene.api.mostOpen]).toEqual([1, MAX_READS]);
  slow.drain();
  await scene.until(() => slow.status !== undefined);
  expect(new Set(slow.lines.map(({ source, text }) => `${source} ${text}`)).size).toBe(40_000);
  expect([slow.lines.length, slow.largest <= 120 * 1024, scene.ended, scene.budget.free]).toEqual([40_000, true, 2, 2_000]);
});

test("a search sends the lines that match, and counts the others", async () => {
  const scene = new Scene(new LogApi({ pods: 3, linesOfPod: 1_000 }));
  const reader = scene.read({ filter: { pattern: "^99[0-9] ", isRegularExpression: true } });
  await scene.until(() => reader.status !== undefined);
  expect(reader.lines).toHaveLength(30);
  const counts = reader.responses.flatMap(({ message }) => (message.case === "progress" ? message.value.progresses : []));
  expect(Math.max(...counts.map(({ lines }) => Number(lines)))).toBe(1_000);
});

test("other work of the agent is not delayed while 80 MB are searched", async () => {
  const scene = new Scene(new LogApi({ pods: 20, linesOfPod: 20_000, text: "z".repeat(200) }));
  const reader = scene.read({ filter: { pattern: "nothing.*like.*this", isRegularExpression: true } });
  const longestTurn = watchLongestTurn();
  await scene.until(() => reader.status !== undefined);
  const longestMs = longestTurn();
  expect(reader.lines).toEqual([]);
  expect(longestMs).toBeLessThan(250);
});

test("a call that is cancelled closes its reads at once", async () => {
  const scene = new Scene(new LogApi({ pods: 30, linesOfPod: 1_000_000 }));
  const reader = scene.read({ filter: { pattern: "never" } });
  await scene.until(() => scene.api.open === MAX_READS);
  const beforeMs = scene.clock.now();
  reader.cancel();
  await scene.until(() => scene.api.open === 0);
  expect(scene.clock.now() - beforeMs).toBeLessThan(1_000);
  await scene.until(() => scene.ended === 1);
  expect([scene.gate.reads, scene.budget.free]).toEqual([0, 2_000]);
});

test.each<readonly [string, MessageInitShape<typeof ReadRequestSchema>["query"]]>([
  ["nothing", {}],
  ["too much", { targets: Array.from({ length: 201 }, () => ({ namespace: "app" })) }],
  ["a namespace that is a path", { targets: [{ namespace: "../secrets" }] }],
  ["a pod that is a path", { targets: [{ namespace: "app", pod: "a/exec" }] }],
  ["a pod and a selector", { targets: [{ namespace: "app", pod: "a", labelSelector: "a=b" }] }],
  ["a pattern that is too long", { targets: [{ namespace: "app" }], filter: { pattern: "a".repeat(1_001) } }],
  ["an end of what is followed", { targets: [{ namespace: "app" }], follow: true, until: { seconds: 1n } }],
  ["too many last lines", { targets: [{ namespace: "app" }], tailLines: 100_001 }],
])("a request for %s is refused before anything is read", (_, query) => {
  const scene = new Scene(new LogApi({ pods: 1, linesOfPod: 1 }));
  const reader = scene.open();
  expect(() => reader.request({ viewer: ANN, query: query as NonNullable<typeof query> })).toThrow(
    expect.objectContaining({ reason: "invalid_request" }),
  );
  reader.cancel();
  expect([scene.api.requests, scene.ended, reader.responses]).toEqual([[], 1, []]);
});

test.each([
  ["(", "missing closing )"],
  [String.raw`(a)\1`, String.raw`\1`],
  ["(?=a)", "(?="],
])("the expression %s is refused before the request is accepted and anything is read", async (pattern, named) => {
  const scene = new Scene(new LogApi({ pods: 1, linesOfPod: 1 }));
  const reader = scene.read({ filter: { pattern, isRegularExpression: true } });
  await scene.until(() => reader.status !== undefined);
  expect(reader.status).toMatchObject({ code: GRPC_CODE.invalidArgument, message: expect.stringContaining(named) });
  await scene.until(() => scene.ended === 1);
  expect([scene.api.requests, reader.responses, scene.budget.free]).toEqual([[], [], 2_000]);
});

test("an expression that takes too long ends its own call, while others go on, and other work of the agent is not delayed", async () => {
  const scene = new Scene(new LogApi({ pods: 3, linesOfPod: 200, text: "x".repeat(16_000) }));
  const longestTurn = watchLongestTurn();
  const slow = scene.read({
    filter: { pattern: `${String.raw`[\pL\pN]{1000}`.repeat(9)}$`, isRegularExpression: true, matchesCase: true },
  });
  const fast = scene.read({ filter: { pattern: "^199 ", isRegularExpression: true } });
  await scene.until(() => slow.status !== undefined && fast.status !== undefined);
  const longestMs = longestTurn();
  expect(slow.status).toMatchObject({ code: GRPC_CODE.invalidArgument, message: "it takes more than a second for a line" });
  expect([fast.status?.code, fast.lines.length]).toEqual([0, 3]);
  await scene.until(() => scene.api.open === 0 && scene.ended === 2);
  expect(longestMs).toBeLessThan(500);
});

test("a call that asks for logs twice is refused", async () => {
  const scene = new Scene(new LogApi({ pods: 1, linesOfPod: 1 }));
  const reader = scene.read({});
  expect(() => reader.request({ viewer: ANN, query: { targets: [{ namespace: "app" }] } })).toThrow(
    expect.objectContaining({ reason: "frame_order" }),
  );
  reader.cancel();
  await scene.until(() => scene.ended === 1);
});

test("an agent that reads as many containers as it can refuses more", () => {
  const scene = new Scene(new LogApi({ pods: 1, linesOfPod: 1 }));
  const all = Array.from({ length: 4 }, () => scene.read({ follow: true }));
  expect(scene.budget.free).toBe(0);
  expect(() => scene.read({})).toThrow(expect.objectContaining({ reason: "over_budget" }));
  for (const reader of all) reader.cancel();
});
