import { afterEach, expect, test } from "vitest";

import { FreePorts, isFree } from "./free-port.ts";

const ports = new FreePorts();
afterEach(() => ports.close());

test("a reserved port is not given to another caller until it is handed over", async () => {
  const port = await ports.hold();
  expect(await isFree(port)).toBe(false);
  await ports.handOver([port, 1]);
  expect(await isFree(port)).toBe(true);
});

test("ports are handed out once each, and closing lets go of all", async () => {
  const held = await Promise.all(Array.from({ length: 20 }, () => ports.hold()));
  expect(new Set([...held, await ports.take()]).size).toBe(21);
  await ports.close();
  expect(await Promise.all(held.map(isFree))).toEqual(held.map(() => true));
});
