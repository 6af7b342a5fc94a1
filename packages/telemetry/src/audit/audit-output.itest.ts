import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, renameSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { ManualClock, settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { auditFile, type AuditOutput } from "./audit-output.ts";

const NEVER = new AbortController().signal;
let directory: string;
let file: string;
let output: AuditOutput | undefined;
const clock = new ManualClock();

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "audit-"));
  file = join(directory, "audit.log");
});
afterEach(() => {
  output?.close();
  rmSync(directory, { recursive: true });
});

const write = (text: string): Promise<void> => output?.write(Buffer.from(text), NEVER) ?? Promise.resolve();

test("lines are appended to what is there", async () => {
  output = auditFile(file, clock);
  await write("one\n");
  output.close();
  output = auditFile(file, clock);
  await write("two\n");
  expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
});

test("a file that was rotated or removed is opened anew, and copied and cut to nothing it is gone on with", async () => {
  output = auditFile(file, clock);
  await write("one\n");
  renameSync(file, `${file}.1`);
  await write("two\n");
  unlinkSync(file);
  await write("three\n");
  closeSync(openSync(file, "w"));
  await write("four\n");
  expect([readFileSync(`${file}.1`, "utf8"), readFileSync(file, "utf8")]).toEqual(["one\n", "four\n"]);
});

test("a disk that is full rejects the write", async () => {
  output = auditFile("/dev/full", clock);
  await expect(write("one\n")).rejects.toThrow("ENOSPC");
});

test("a file that cannot be opened is an error that names it", () => {
  expect(() => auditFile(join(directory, "missing", "audit.log"), clock)).toThrow(/ENOENT.*missing/);
});

test("T42: a pipe whose reader stands still blocks no thread, and gets every line once when it reads again", async () => {
  execFileSync("mkfifo", [file]);
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  output = auditFile(file, clock);
  const lines = Buffer.from(Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`).join(""));
  let written = false;
  const writing = output.write(lines, NEVER).then(() => (written = true));
  const chunk = Buffer.alloc(64 * 1024);
  const got: Buffer[] = [];
  // The pipe is full: the output waits for the clock.
  await until(() => clock.pending > 0);
  expect(written).toBe(false);
  await until(() => {
    clock.advance(50);
    try {
      const length = readSync(reader, chunk);
      got.push(Buffer.from(chunk.subarray(0, length)));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
    }
    return Buffer.concat(got).length === lines.length;
  });
  await writing;
  await settle();
  expect(Buffer.concat(got).equals(lines)).toBe(true);
  closeSync(reader);
});

test("T42: a process whose standard output is a pipe without a reader can still exit", async () => {
  execFileSync("mkfifo", [file]);
  const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const stdout = openSync(file, constants.O_WRONLY);
  const [output, rpc] = ["audit-output.ts", "../../../rpc/src/index.ts"].map((name) => join(import.meta.dirname, name));
  const program = `
    import { auditStdout } from ${JSON.stringify(output)};
    import { systemClock } from ${JSON.stringify(rpc)};
    const output = auditStdout(systemClock);
    void output.write(Buffer.alloc(1024 * 1024, "line\\n"), new AbortController().signal);
    process.stdin.once("data", () => process.exit(3));`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], { stdio: ["pipe", stdout, "inherit"] });
  const ended = once(child, "exit");
  const first = Buffer.alloc(1);
  // It has begun to write, and the pipe is full soon.
  await until(() => {
    try {
      return readSync(reader, first) === 1;
    } catch {
      return false; // nothing is there yet
    }
  });
  child.stdin?.end("end");
  expect((await ended)[0]).toBe(3);
  closeSync(stdout);
  closeSync(reader);
});
