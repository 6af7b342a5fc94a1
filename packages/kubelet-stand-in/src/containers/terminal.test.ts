import { systemClock } from "@binnacle/rpc";
import { describe, expect, test } from "vitest";

import { Pipe } from "../streams/byte-streams.ts";
import { Container } from "./container.ts";
import { Terminal } from "./terminal.ts";

/** A shell on a terminal; `until` waits for output. */
function session(imageKind: "full" | "busybox" = "busybox") {
  const [input, output] = [new Pipe(Infinity), new Pipe(Infinity)];
  const terminal = new Terminal(output);
  const gone = new AbortController();
  void terminal.consume(input);
  const container = new Container({ hostname: "web-1", imageKind, env: {} }, systemClock);
  const streams = { stdin: terminal, stdout: terminal, stderr: terminal, terminal, signal: gone.signal };
  const code = container.exec(["sh"], streams);
  let seen = "";
  return {
    terminal,
    code,
    input,
    type: (text: string) => input.push(Buffer.from(text)),
    until: async (text: string): Promise<string> => {
      while (!seen.includes(text)) {
        const chunk = await output.read();
        if (chunk === undefined) throw new Error(`ended after ${JSON.stringify(seen)}`);
        seen += chunk.toString();
      }
      return seen;
    },
  };
}

describe("a terminal", () => {
  test("echoes, and ends lines with a carriage return", async () => {
    const { type, until } = session();
    type("echo hello\r");
    expect(await until("\r\nhello\r\n/ # ")).toBe("/ # echo hello\r\nhello\r\n/ # ");
  });

  test.each([
    ["Backspace", "echo axx\u007f\u007fb\r", "ab"],
    ["^U", "garbage\u0015echo ab\r", "ab"],
    ["^W", "echo ab garbage \u0017\r", "ab"],
    ["Backspace over a character of several bytes", "echo ab\u{1f600}\u007f\r", "ab"],
    ["arrow keys, which are dropped", "echo a\u001b[A\u001b[1;5Db\r", "ab"],
  ])("edits its line with %s", async (_, typed, result) => {
    const { type, until } = session();
    type(typed);
    await expect(until(`\r\n${result}\r\n`)).resolves.toContain("# ");
  });

  test("^C interrupts what runs, drops what was typed ahead and leaves the shell", async () => {
    const { type, until } = session();
    type("sleep 1000\r");
    await until("sleep 1000\r\n");
    type("typed ahead\r");
    type("\u0003");
    await until("^C\r\n/ # ");
    type("echo code=$?\r");
    const text = await until("\r\ncode=130\r\n");
    expect(text).not.toContain("not found");
  });

  test("^C interrupts a program that reads, and one that writes without end", async () => {
    const { type, until } = session();
    for (const program of ["cat", "while true; do :; done", "cat | cat"]) {
      type(`${program}\r`);
      await until(`${program}\r\n`);
      type("\u0003");
      type(`echo after '${program.length}'\r`);
      await expect(until(`after ${program.length}\r\n`)).resolves.toContain("^C");
    }
  });

  test("^D ends the input of a program, then the shell", async () => {
    const { type, until, code } = session();
    type("cat; echo over\r");
    await until("echo over\r\n");
    type("line\r\u0004");
    await until("\r\nline\r\nover\r\n");
    type("\u0004");
    await expect(code).resolves.toBe(0);
  });

  test("ends with its user", async () => {
    const { input, code } = session();
    input.end();
    await expect(code).resolves.toBe(0);
  });

  test("has the size that its user reports last", async () => {
    const { terminal, type, until } = session();
    terminal.resize({ columns: 120, rows: 50 });
    type("stty size\r");
    await expect(until("\r\n50 120\r\n")).resolves.toContain("stty size");
  });

  test("reads a command over several lines", async () => {
    const { type, until } = session("full");
    type("for i in 1 2\rdo echo n$i\rdone\r");
    await expect(until("\r\nn2\r\n")).resolves.toContain("> ");
  });
});
