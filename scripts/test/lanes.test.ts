import { expect, test } from "vitest";

import { runLanes } from "./lanes.ts";
import type { Step } from "./step.ts";

const step = (title: string, after?: string): Step => ({ title, command: [], env: {}, ...(after === undefined ? {} : { after }) });

test("two steps run side by side, and a lane without a step that may begin waits for one that ends", async () => {
  const log: string[] = [];
  const ends = new Map<string, () => void>();
  const running = runLanes([step("build"), step("unit"), step("pages", "build"), step("real", "build")], 2, async ({ title }, lane) => {
    log.push(`${title} on ${lane}`);
    await new Promise<void>((resolve) => ends.set(title, resolve));
  });
  const end = async (title: string): Promise<void> => {
    ends.get(title)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  expect(log).toEqual(["build on 1", "unit on 2"]);
  await end("unit");
  expect(log).toEqual(["build on 1", "unit on 2"]);
  await end("build");
  expect(log.slice(2).sort()).toEqual(["pages on 1", "real on 2"]);
  await end("real");
  await end("pages");
  const times = await running;
  expect(times.map(({ title, lane }) => `${title} on ${lane}`)).toEqual(["unit on 2", "build on 1", "real on 2", "pages on 1"]);
});
