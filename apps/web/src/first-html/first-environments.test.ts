import {
  ConnectionState,
  HealthStatus,
  RowGap,
  WatchEnvironmentsResponseSchema,
  type WatchEnvironmentsResponse,
} from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { firstEnvironments } from "./index-document.tsx";

type Init = MessageInitShape<typeof WatchEnvironmentsResponseSchema>;

const ROW = { environment: { name: "a", projectPath: "group/app" } };
const UNKNOWN: Init = { rows: [{ ...ROW, gap: RowGap.NOT_LOOKED_AT }], complete: true, viewer: { username: "mara" } };
const KNOWN: Init = { rows: [{ ...ROW, health: { status: HealthStatus.DEGRADED }, connection: { state: ConnectionState.CONNECTED } }] };

/** A server that says these, each so many milliseconds after the one before, and then nothing more. */
function says(clock: ManualClock, steps: readonly (readonly [afterMs: number, message: Init])[], heard: AbortSignal[] = []) {
  return {
    watchEnvironments: async function* (
      _request: unknown,
      options?: { signal?: AbortSignal | undefined },
    ): AsyncGenerator<WatchEnvironmentsResponse> {
      if (options?.signal) heard.push(options.signal);
      for (const [afterMs, message] of steps) {
        await new Promise<void>((resolve) => clock.after(afterMs, resolve));
        yield create(WatchEnvironmentsResponseSchema, message);
      }
      await new Promise(() => undefined);
    },
  };
}

test("rows that are known in time are one message with all of them, and the call ends", async () => {
  const clock = new ManualClock(0);
  const heard: AbortSignal[] = [];
  const asking = firstEnvironments(says(clock, [[10, UNKNOWN], [20, KNOWN]], heard), "group/app", clock); // prettier-ignore
  await clock.elapse(40);
  expect(await asking).toMatchObject({
    rows: [{ health: { status: HealthStatus.DEGRADED } }],
    complete: true,
    viewer: { username: "mara" },
  });
  expect(heard.map(({ aborted }) => aborted)).toEqual([true]);
});

test("rows that are not known after 300 ms are named, without numbers", async () => {
  const clock = new ManualClock(0);
  const asking = firstEnvironments(says(clock, [[10, UNKNOWN], [5_000, KNOWN]]), "group/app", clock); // prettier-ignore
  await clock.elapse(300);
  const message = await asking;
  expect(message?.rows.map(({ environment, health }) => [environment?.name, health])).toEqual([["a", undefined]]);
});

test("a server that says nothing leaves the page to its stream", async () => {
  const clock = new ManualClock(0);
  const asking = firstEnvironments(says(clock, []), "group/app", clock);
  await clock.elapse(300);
  expect(await asking).toBeUndefined();
});
