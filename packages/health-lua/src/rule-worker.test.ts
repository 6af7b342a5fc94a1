import { Worker } from "node:worker_threads";

import { ManualClock, until } from "@binnacle/testing";
import { afterEach, describe, expect, test } from "vitest";

import { RuleWorker, batchOf } from "./rule-worker.ts";
import type { WorkerData } from "./worker-message.ts";

/** A thread that answers each text with itself, hangs at "hang", ends at "die", and answers two of a batch that has "half". */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const begun = new Int32Array(workerData.begun);
const send = (message) => parentPort.postMessage(message);
parentPort.on("message", ({ rules, jobs }) => {
  let answers = [];
  for (const [place, job] of jobs.entries()) {
    const { text } = rules[job.rule];
    Atomics.store(begun, 0, place);
    if (text === "flush") { send({ type: "answers", answers, done: false }); answers = []; }
    if (text === "hang") while (true);
    if (text === "die") process.exit(1);
    if (text === "half" && place === 2) break;
    answers.push({ tag: "ok", status: "Healthy", message: text + job.json });
  }
  send({ type: "answers", answers, done: true });
  send({ type: "ready" });
});
send({ type: "ready" });
`;

/** Threads start late on a busy machine. */
const BUSY = { timeout: 60_000 };

const clock = new ManualClock();
let begun = new Int32Array(new SharedArrayBuffer(4));
let threads = 0;
let worker: RuleWorker;

function start(code = THREAD): RuleWorker {
  threads = 0;
  worker = new RuleWorker(clock, (workerData: WorkerData) => {
    threads += 1;
    begun = new Int32Array(workerData.begun);
    return new Worker(code, { eval: true, workerData });
  });
  return worker;
}

/** Outcomes in order: the message, or the tag of those without one. */
const runAll = async (texts: readonly string[], tenant = "a") => {
  const outcomes = await Promise.all(texts.map((text, i) => worker.run({ language: "lua", text, json: `${i}` }, tenant)));
  return outcomes.map((outcome) => ("message" in outcome ? outcome.message : outcome.tag));
};

afterEach(async () => {
  await worker.close();
  clock.assertIdle();
});

describe("a batch", BUSY, () => {
  test("many runs travel together and keep their order", async () => {
    start();
    const texts = Array.from({ length: 500 }, (_, i) => `t${i % 7}`);
    expect(await runAll(texts)).toEqual(texts.map((text, i) => `${text}${i}`));
    expect(threads).toBe(1);
  });

  test("what a batch left over is sent again", async () => {
    start();
    expect(await runAll(["half", "half", "half", "half", "half"])).toEqual(["half0", "half1", "half2", "half3", "half4"]);
  });

  test.each([
    { when: "before anything was answered", texts: ["a", "hang", "b", "c"], outcomes: ["a0", "timeout", "b2", "c3"], place: 1 },
    { when: "after some were answered", texts: ["a", "flush", "hang", "c"], outcomes: ["a0", "flush1", "timeout", "c3"], place: 2 },
    { when: "as the last", texts: ["a", "b", "hang"], outcomes: ["a0", "b1", "timeout"], place: 2 },
  ])("a run that hangs $when counts as failed, the others run again", async ({ texts, outcomes, place }) => {
    start();
    const running = runAll(texts);
    await until(() => threads === 1 && begun[0] === place);
    await clock.elapse(250);
    expect(await running).toEqual(outcomes);
    expect(threads).toBe(2);
  });

  test("a thread that ends in the middle takes one run with it", async () => {
    start();
    expect(await runAll(["a", "b", "die", "c", "die", "d"])).toEqual(["a0", "b1", "lost", "c3", "lost", "d5"]);
    expect(threads).toBe(3);
  });
});

describe("a thread that does not start", BUSY, () => {
  test("fails at once: no run is tried again and again", async () => {
    start("process.exit(1)");
    expect(await runAll(["a", "b", "c"])).toEqual(["unstarted", "unstarted", "unstarted"]);
    expect(threads).toBe(1);
  });

  test("is given up after ten seconds", async () => {
    start("while (true);");
    const running = runAll(["a", "b"]);
    await until(() => threads === 1);
    await clock.elapse(10_000);
    expect(await running).toEqual(["unstarted", "unstarted"]);
  });
});

describe("without an answer", BUSY, () => {
  test("closing resolves the run that hangs and those behind it", async () => {
    start();
    const running = runAll(["a", "hang", "b"]);
    await until(() => threads === 1 && begun[0] === 1);
    await worker.close();
    expect(await running).toEqual(["closed", "closed", "closed"]);
    expect(await runAll(["a"])).toEqual(["closed"]);
  });

  test("runs of a disabled rule that wait are not sent", async () => {
    start();
    const running = runAll(["a", "b", "a", "b"]);
    worker.disable("a", "b");
    worker.disable("a", "a");
    expect(await running).toEqual(["disabled", "b1", "disabled", "b3"]);
  });
});

describe("two tenants", BUSY, () => {
  test("XS9: sixty runs that hang delay the runs of another tenant by one of them", async () => {
    start();
    const hanging = runAll(["a", ...Array.from({ length: 60 }, () => "hang")], "slow");
    await until(() => threads === 1 && begun[0] === 1);
    let answered: readonly string[] = [];
    void runAll(
      Array.from({ length: 100 }, (_, i) => `t${i}`),
      "quick",
    ).then((outcomes) => (answered = outcomes));
    await clock.elapse(250);
    await until(() => answered.length > 0);
    expect(answered.slice(0, 2)).toEqual(["t00", "t11"]);
    // The second thread has served the other tenant before it hangs again.
    expect(threads).toBe(2);
    await worker.close();
    expect((await hanging).filter((outcome) => outcome === "timeout")).toHaveLength(1);
  });

  test("XS9, T14: runs beyond what may wait are refused, and go on when the second is over", async () => {
    start();
    const outcomes = runAll(
      Array.from({ length: 20_010 }, () => "a"),
      "many",
    );
    const another = runAll(["b"], "few");
    expect(await another).toEqual(["b0"]);
    const progress = { isDone: false };
    void outcomes.then(() => (progress.isDone = true));
    while (!progress.isDone) await clock.elapse(1_000);
    const refused = (await outcomes).filter((outcome) => outcome === "busy");
    expect(refused).toHaveLength(10);
  });
});

describe("batchOf", () => {
  const job = (text: string, length: number) => ({ language: "lua" as const, text, json: "x".repeat(length) });

  test("takes at most 64 runs and writes each rule once", () => {
    const { batch, count } = batchOf(Array.from({ length: 100 }, (_, i) => job(`rule ${i % 2}`, 10)));
    expect(count).toBe(64);
    expect(batch.rules).toHaveLength(2);
    expect(batch.jobs.map(({ rule }) => rule)).toEqual(Array.from({ length: 64 }, (_, i) => i % 2));
  });

  test("takes at most 4 Mi characters, but always one run", () => {
    expect(batchOf([job("a", 5_000_000), job("a", 1)]).count).toBe(1);
    expect(batchOf([job("a", 3_000_000), job("a", 1_000_000), job("a", 1_000_000)]).count).toBe(2);
  });
});
