import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";
import { z } from "zod";

import { ConfigError, duration, loadConfig, parseDuration } from "./index.ts";

const schema = z.strictObject({
  address: z.string().default("127.0.0.1:1"),
  listen: z.strictObject({ websocket: z.boolean().default(false), age: duration.prefault("2h") }).prefault({}),
});

function fileWith(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "binnacle-config-")), "config.yaml");
  writeFileSync(file, text);
  return file;
}

const load = (text: string, env: Record<string, string> = {}) => loadConfig({ schema, file: fileWith(text), env, envPrefix: "APP" });

function pathsOf(action: () => unknown): string[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => problem.path).sort();
    throw error;
  }
  return [];
}

test("an empty file gives the defaults", () => {
  expect(load("")).toEqual({ address: "127.0.0.1:1", listen: { websocket: false, age: 7_200_000 } });
});

test("every mistake is named at once, with its path", () => {
  const text = "address: 5\nadress: x\nlisten:\n  websocket: maybe\n  age: soon\n  ports: 1\n";
  expect(pathsOf(() => load(text))).toEqual(["address", "adress", "listen.age", "listen.ports", "listen.websocket"]);
});

test("a key that must be there is called missing", () => {
  expect(() => loadConfig({ schema: z.strictObject({ name: z.string() }), env: {}, envPrefix: "APP" })).toThrow(
    "name: is missing; expected string",
  );
});

test("the environment lies over the file", () => {
  expect(
    load("address: a", { APP__LISTEN__WEBSOCKET: "true", APP__ADDRESS: "b:2", APP_PORT: "tcp://ignored", OTHER__ADDRESS: "c" }),
  ).toEqual({
    address: "b:2",
    listen: { websocket: true, age: 7_200_000 },
  });
});

test("broken YAML is named with its line", () => {
  expect(() => load("a: [1\nb: 2")).toThrow(/line/);
});

test("aliases that grow without bound are refused", () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `l${level + 1}: &l${level + 1} [${Array.from({ length: 10 }, () => `*l${level}`).join(",")}]`,
  );
  expect(() => load(`l0: &l0 x\n${levels.join("\n")}`)).toThrow(ConfigError);
});

test("a key named __proto__ changes no prototype", () => {
  expect(() => load("", { APP____PROTO____POLLUTED: "1" })).toThrow(ConfigError);
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test.each([
  ["20s", 20_000],
  ["1h30m", 5_400_000],
  ["0.5s", 500],
  ["0", 0],
  ["5", undefined],
  ["5 s", undefined],
  ["s", undefined],
])("the duration %s is %s ms", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});
