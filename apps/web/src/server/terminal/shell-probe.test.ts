import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import type { ExecEnd } from "./exec.ts";
import { ShellProbe } from "./shell-probe.ts";

const NOT_FOUND = 'exec failed: unable to start container process: exec: "bash": executable file not found in $PATH';

function begin() {
  const clock = new ManualClock();
  const log: string[] = [];
  const probe = new ShellProbe({ clock, started: () => log.push("started"), output: (bytes) => log.push(String(bytes)) });
  const end = (exitCode: number | undefined, message = "", hasInput = false): boolean => {
    const ended: Extract<ExecEnd, { kind: "ended" }> = { kind: "ended", exitCode, message };
    return probe.end(ended, hasInput);
  };
  return { clock, log, probe, end };
}

test("a program that writes anything but that it is missing has started, and its output is passed on", () => {
  const { log, probe, end } = begin();
  probe.receive(Buffer.from("$ "));
  probe.receive(Buffer.from("bash: x: No such file or directory"));
  expect(log).toEqual(["started", "$ ", "bash: x: No such file or directory"]);
  expect(end(127)).toBe(false);
});

test("a program that writes more than an error of a runtime has started, whatever it writes", () => {
  const { log, probe, end } = begin();
  const output = NOT_FOUND.repeat(50);
  probe.receive(Buffer.from(output));
  expect(log).toEqual(["started", output]);
  expect(end(0)).toBe(false);
});

test("a program that writes nothing has started after a second", () => {
  const { clock, log, end } = begin();
  clock.advance(999);
  expect(log).toEqual([]);
  clock.advance(1);
  expect([log, end(0)]).toEqual([["started"], false]);
});

test.each<readonly [string, { readonly output?: string; readonly exitCode?: number; readonly message?: string }]>([
  ["its exit code", { exitCode: 127 }],
  ["its exit code, with words of the runtime on the terminal", { output: NOT_FOUND, exitCode: 126 }],
  ["words of the runtime on the error channel", { message: `error executing command: ${NOT_FOUND}` }],
])("a program is missing by %s, and nothing of it is passed on", (_by, { output, exitCode, message }) => {
  const { clock, log, probe, end } = begin();
  if (output !== undefined) probe.receive(Buffer.from(output));
  expect(end(exitCode, message)).toBe(true);
  clock.advance(10_000);
  expect(log).toEqual([]);
});

test("a program that ends with 127 after something was typed was there", () => {
  const { clock, end } = begin();
  clock.advance(1_000);
  expect(end(127, "", true)).toBe(false);
});

test("output like a runtime's is withheld until the program ends by itself", () => {
  const { log, probe, end } = begin();
  probe.receive(Buffer.from("No such file or directory"));
  expect(log).toEqual([]);
  expect(end(1)).toBe(false);
  expect(log).toEqual(["started", "No such file or directory"]);
});
