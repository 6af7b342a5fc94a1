import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { CommandFailure } from "../program/exit-codes.ts";
import { configPath, readConfig, writeConfig } from "./config-file.ts";
import { durationMs } from "./duration.ts";
import { dashboardUrl, readSettings, tokenText } from "./settings.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "binnacle-settings-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const noted: string[] = [];
const note = (text: string): void => void noted.push(text);

function write(text: string): string {
  const path = configPath({ XDG_CONFIG_HOME: folder });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

test("the file is below XDG_CONFIG_HOME, else below the home folder", () => {
  expect(configPath({ XDG_CONFIG_HOME: "/x", HOME: "/h" })).toBe("/x/binnacle/config.yaml");
  expect(configPath({ XDG_CONFIG_HOME: "", HOME: "/h" })).toBe("/h/.config/binnacle/config.yaml");
});

test("a file that others could read before is its owner's alone after it was written", () => {
  const path = write("");
  chmodSync(path, 0o644);
  writeConfig(path, { url: "https://a.example", token: "t" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readConfig(path)).toEqual({ url: "https://a.example", token: "t", project: undefined });
});

test.each([
  "a: [",
  "text",
  "url: https://a.example",
  "url: https://a.example\ntoken: t\nother: 1",
  "url: https://a.example\ntoken: t\nproject: 1",
])("a file that is wrong is named, without what it holds: %j", (text) => {
  const path = write(text);
  expect(() => readConfig(path)).toThrow(CommandFailure);
  expect(() => readConfig(path)).toThrow(path);
});

test("the file comes first; without one the environment counts", () => {
  const env = { XDG_CONFIG_HOME: folder, BINNACLE_URL: "https://env.example/", BINNACLE_TOKEN: " t2\n", CI_PROJECT_PATH: "group/app" };
  expect(readSettings({ env, note })).toEqual({ url: "https://env.example", token: "t2", project: "group/app" });
  write("url: https://file.example/below/\ntoken: t1\nproject: group/file");
  expect(readSettings({ env: { ...env, BINNACLE_PROJECT: "group/own" }, note })).toEqual({
    url: "https://file.example/below",
    token: "t1",
    project: "group/own",
  });
  expect(noted.join("")).toContain("BINNACLE_URL is not used");
  expect(() => readSettings({ env: { XDG_CONFIG_HOME: join(folder, "none"), BINNACLE_URL: "https://a.example" }, note })).toThrow(
    "No dashboard",
  );
});

test.each(["ftp://a.example", "a.example", "https://user:secret@a.example", "https://a.example/?x=1", "https://a.example/#x"])(
  "%j is no address of a dashboard",
  (text) => {
    expect(() => dashboardUrl(text)).toThrow(CommandFailure);
  },
);

test.each(["", "two words", "a:b", "a\nb", "ä"])("%j is no token, and the error does not repeat it", (text) => {
  expect(() => tokenText(text)).toThrow("A personal access token has letters");
});

describe("durations", () => {
  test.each([
    ["0", 0],
    ["30s", 30_000],
    ["1h30m", 5_400_000],
    ["250ms", 250],
    ["1.5m", 90_000],
  ])("%s", (text, ms) => {
    expect(durationMs(text, "timeout")).toBe(ms);
  });

  test.each(["", "30", "s", "-1s", "10 m", "1d"])("%j is none", (text) => {
    expect(() => durationMs(text, "timeout")).toThrow("--timeout is a duration");
  });
});
