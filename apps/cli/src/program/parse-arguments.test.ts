import { readFileSync } from "node:fs";

import { describe, expect, test } from "vitest";

import { REFERENCE_FILE, referencePage } from "../../dev/reference-page.ts";
import { COMMANDS } from "../commands/commands.ts";
import { completionScript, SHELLS } from "./completion.ts";
import { CommandFailure, EXIT } from "./exit-codes.ts";
import { helpOf, helpOfAll } from "./help.ts";
import { parseArguments } from "./parse-arguments.ts";

function failureOf(...argv: string[]): CommandFailure {
  try {
    parseArguments(argv, COMMANDS);
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

test("a command is called with its arguments and options, in any order", () => {
  const parsed = parseArguments(["logs", "-f", "production", "deploy/web", "-c", "app", "--container=proxy", "--since", "10m"], COMMANDS);
  if (parsed.kind !== "run") throw new Error("no command");
  expect([parsed.command.name, parsed.arguments]).toEqual(["logs", ["production", "deploy/web"]]);
  expect([parsed.options.has("follow"), parsed.options.texts("container"), parsed.options.text("since")]).toEqual([
    true,
    ["app", "proxy"],
    "10m",
  ]);
  expect([parsed.options.text("tail"), parsed.options.has("previous")]).toEqual([undefined, false]);
});

test("a command of two words is found by both", () => {
  expect(parseArguments(["agent", "check", "production"], COMMANDS)).toMatchObject({ kind: "run", arguments: ["production"] });
});

describe("a mistake is named, with exit code 64 and what to do", () => {
  test.each([
    [["nope"], 'There is no command "nope".', "binnacle --help"],
    [["-o", "json"], "-o comes after the name of a command.", "binnacle --help"],
    [["agent"], '"agent" is followed by one of: check.', ""],
    [["status"], "ENVIRONMENT is missing.", "usage: binnacle status ENVIRONMENT [options]"],
    [["status", ""], "ENVIRONMENT is missing.", "usage: binnacle status ENVIRONMENT [options]"],
    [["status", "a", "b"], '"b" is one argument too many.', "usage: binnacle status ENVIRONMENT [options]"],
    [["status", "a", "--nope"], "Unknown option '--nope'.", "usage: binnacle status ENVIRONMENT [options]"],
    [["status", "a", "--timeout"], "Option '--timeout <value>' argument missing.", "usage: binnacle status ENVIRONMENT [options]"],
    [["status", "a", "-o", "xml"], '--output is table, json, yaml, not "xml".', "usage: binnacle status ENVIRONMENT [options]"],
    [["status", "a", "--wait", "degraded"], '--wait is healthy, not "degraded".', "usage: binnacle status ENVIRONMENT [options]"],
  ])("%j", (argv, message, hint) => {
    const failure = failureOf(...argv);
    expect([failure.exitCode, failure.message, failure.hint]).toEqual([EXIT.usage, message, hint]);
  });
});

test("help names every command, and of a command every option", () => {
  const all = helpOfAll(COMMANDS);
  for (const command of COMMANDS) {
    expect(all).toContain(`  ${command.name} `);
    for (const { name } of command.options) expect(helpOf(command)).toContain(`--${name}`);
  }
  expect(parseArguments(["help", "agent", "check"], COMMANDS)).toMatchObject({ kind: "help", command: { name: "agent check" } });
  expect(parseArguments(["status", "--help"], COMMANDS)).toMatchObject({ kind: "help", command: { name: "status" } });
});

test("what is not there yet is neither in the help nor in the completion", () => {
  const texts = [helpOfAll(COMMANDS), ...SHELLS.map((shell) => completionScript(shell, COMMANDS))];
  for (const text of texts) expect(text).not.toMatch(/\bdiff\b|\binstall\b/);
});

test.each(SHELLS)("completion of %s knows every command, option and value", (shell) => {
  const script = completionScript(shell, COMMANDS);
  for (const { name, options } of COMMANDS) {
    for (const word of name.split(" ")) expect(script).toContain(word);
    for (const option of options) {
      expect(script).toContain(shell === "fish" ? `-l ${option.name}` : `--${option.name}`);
      expect(script).toContain((option.choices ?? []).join(" "));
    }
  }
});

test("no command takes a token as an argument", () => {
  for (const { options, arguments: given } of COMMANDS)
    expect([...options, ...given].map(({ name }) => name.toLowerCase())).not.toContain("token");
});

test("the reference page is what `npm run reference` writes", () => {
  expect(readFileSync(REFERENCE_FILE, "utf8")).toBe(referencePage());
});
