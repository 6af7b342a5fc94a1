import { systemClock } from "@binnacle/rpc";

import { EXIT } from "./program/exit-codes.ts";
import { readSecret } from "./program/read-secret.ts";
import type { Terminal } from "./program/terminal.ts";
import { run } from "./run.ts";

const DEFAULT_COLUMNS = 80;

/** Arguments → command → exit code. The only file that reads the environment and ends the process. */
async function main(): Promise<number> {
  // Timers of our clock do not keep a process alive, and between two attempts to connect there may be nothing else.
  const alive = setInterval(() => {}, 60_000);
  const ending = new AbortController();
  let isInterrupted = false;
  process.on("SIGINT", () => {
    // The second one means: now.
    if (isInterrupted) process.exit(EXIT.interrupted);
    isInterrupted = true;
    ending.abort();
  });
  process.on("SIGTERM", () => process.exit(128 + 15));
  // A reader that has enough, such as head, closes the pipe: that is no failure.
  process.stdout.on("error", () => ending.abort());
  process.stderr.on("error", () => {});
  const terminal: Terminal = {
    env: process.env,
    clock: systemClock,
    signal: ending.signal,
    isInterrupted: () => isInterrupted,
    isOutputTerminal: process.stdout.isTTY,
    isErrorTerminal: process.stderr.isTTY,
    isInputTerminal: process.stdin.isTTY,
    columns: process.stdout.columns || DEFAULT_COLUMNS,
    write: (text) => {
      if (process.stdout.writable) process.stdout.write(text);
    },
    note: (text) => {
      if (process.stderr.writable) process.stderr.write(text);
    },
    readInput: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString("utf8");
    },
    readSecret: (prompt) =>
      readSecret(prompt, { input: process.stdin, note: (text) => process.stderr.write(text), interrupted: () => process.emit("SIGINT") }),
  };
  try {
    return await run(process.argv.slice(2), terminal);
  } catch (error) {
    // A bug says nothing of an environment: 1 would.
    terminal.note(`binnacle: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return EXIT.unknown;
  } finally {
    clearInterval(alive);
  }
}

process.exitCode = await main();
// What was written to a pipe is written before the process ends; connections that are kept open must not hold it.
process.stdout.write("", () => process.exit());
