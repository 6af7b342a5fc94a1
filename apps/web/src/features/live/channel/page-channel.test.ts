import { expect, test } from "vitest";
import { openPageChannel } from "./page-channel.ts";

test("messages sent after the end are dropped without an error", () => {
  const channel = openPageChannel("page-channel.test");
  channel.close();
  expect(() => channel.send("too late")).not.toThrow();
});

test("what no channel can carry is an error", () => {
  const channel = openPageChannel("page-channel.test");
  expect(() => channel.send(() => undefined)).toThrow("could not be cloned");
  channel.close();
});
