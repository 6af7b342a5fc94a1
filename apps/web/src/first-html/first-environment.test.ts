import { SummarizeEnvironmentResponseSchema, type SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { firstEnvironment, type FirstEnvironment } from "./environment-document.tsx";

const NAMES = { projectPath: "group/app", environment: "production" };

/** A server that says these agents' names, each so many milliseconds after the one before. */
function says(clock: ManualClock, steps: readonly (readonly [afterMs: number, agentName: string])[]) {
  return {
    summarizeEnvironment: async function* (): AsyncGenerator<SummarizeEnvironmentResponse> {
      for (const [afterMs, agentName] of steps) {
        await new Promise<void>((resolve) => clock.after(afterMs, resolve));
        yield create(SummarizeEnvironmentResponseSchema, { header: { environment: { agentName } } });
      }
    },
  };
}

function agentOf(message: SummarizeEnvironmentResponse | undefined): string | undefined {
  return message?.header?.environment?.agentName;
}

async function after(clock: ManualClock, ms: number, work: Promise<FirstEnvironment>): Promise<FirstEnvironment | "waiting"> {
  await clock.elapse(ms);
  return Promise.race([work, new Promise<"waiting">((resolve) => setImmediate(resolve, "waiting"))]);
}

test("a summary that is there in time is the page's, and the answer does not stay open", async () => {
  const clock = new ManualClock(0);
  const page = await after(clock, 100, firstEnvironment(says(clock, [[10, "a"], [50, "b"]]), NAMES, clock)); // prettier-ignore
  if (page === "waiting") throw new Error("it still waits");
  expect([agentOf(page.first), page.later]).toEqual(["b", undefined]);
  clock.assertIdle();
});

test("a slow summary does not hold the page: after 300 ms it has what is known, and the rest comes later", async () => {
  const clock = new ManualClock(0);
  const work = firstEnvironment(says(clock, [[10, "a"], [1_000, "b"]]), NAMES, clock); // prettier-ignore
  expect(await after(clock, 290, work)).toBe("waiting");
  const page = await after(clock, 10, work);
  if (page === "waiting") throw new Error("it still waits");
  expect(agentOf(page.first)).toBe("a");
  await clock.elapse(1_000);
  expect(agentOf(await page.later)).toBe("b");
  clock.assertIdle();
});

test("a summary that never comes holds neither the page nor its end", async () => {
  const clock = new ManualClock(0);
  // Deaf: it does not hear of its signal.
  const deaf = { summarizeEnvironment: async function* (): AsyncGenerator<SummarizeEnvironmentResponse> {
      await new Promise(() => undefined);
      yield create(SummarizeEnvironmentResponseSchema);
    } }; // prettier-ignore
  const page = await after(clock, 300, firstEnvironment(deaf, NAMES, clock));
  if (page === "waiting") throw new Error("it still waits");
  expect(page.first).toBeUndefined();
  await clock.elapse(3_000);
  expect(await page.later).toBeUndefined();
  clock.assertIdle();
});

test("what fails is the stream's to say: the page comes without it", async () => {
  const clock = new ManualClock(0);
  const failing = { summarizeEnvironment: async function* (): AsyncGenerator<SummarizeEnvironmentResponse> {
      yield create(SummarizeEnvironmentResponseSchema, { header: { environment: { agentName: "a" } } });
      throw new Error("no");
    } }; // prettier-ignore
  const page = await after(clock, 1, firstEnvironment(failing, NAMES, clock));
  if (page === "waiting") throw new Error("it still waits");
  expect([agentOf(page.first), page.later]).toEqual(["a", undefined]);
});
