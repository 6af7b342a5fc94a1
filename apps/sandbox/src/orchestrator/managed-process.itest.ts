import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { ManagedProcess } from "./managed-process.ts";

const dir = mkdtempSync(join(tmpdir(), "managed-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const SERVES = `require("node:fs").writeFileSync(process.env.READY, "{}"); setInterval(() => {}, 1000)`;
let number = 0;

function create(script: string, restartMs?: number): { process: ManagedProcess; lines: string[]; logFile: string } {
  number += 1;
  const readyFile = join(dir, `${number}.json`);
  const logFile = join(dir, `${number}.log`);
  const lines: string[] = [];
  const managed = new ManagedProcess({
    name: "part",
    command: { argv: [process.execPath, "-e", script], env: { READY: readyFile }, cwd: dir },
    logFile,
    readyFile,
    restartMs,
    say: (line) => lines.push(line),
    onChange: () => {},
  });
  return { process: managed, lines, logFile };
}

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

const never = new AbortController().signal;

test("a process that died is started again after the delay, and stop() ends it for good", async () => {
  const { process: managed, lines } = create(SERVES, 20);
  await managed.start(never);
  const first = managed.pid ?? 0;
  process.kill(first, "SIGKILL");
  await expect.poll(() => [undefined, first].includes(managed.pid)).toBe(false);
  const second = managed.pid ?? 0;
  expect(lines).toEqual(["part was ended by SIGKILL; it is started again in 0.02 s"]);
  await managed.stop();
  expect([isRunning(first), isRunning(second), managed.pid]).toEqual([false, false, undefined]);
});

test("without a delay it stays dead", async () => {
  const { process: managed, lines } = create(SERVES);
  await managed.start(never);
  process.kill(managed.pid ?? 0, "SIGKILL");
  await expect.poll(() => lines).toEqual(["part was ended by SIGKILL"]);
  expect(managed.pid).toBeUndefined();
});

test("a process that ends before it is ready fails the start with the end of its log", async () => {
  const { process: managed, logFile } = create(`console.error("port 1 is in use"); process.exit(1)`, 20);
  await expect(managed.start(never)).rejects.toThrow(/part ended before it was ready.*\nport 1 is in use$/);
  expect(readFileSync(logFile, "utf8")).toBe("port 1 is in use\n");
});

test("a start that is aborted can still be stopped", async () => {
  const stop = new AbortController();
  const { process: managed } = create(`setInterval(() => {}, 1000)`);
  const starting = managed.start(stop.signal);
  stop.abort();
  await expect(starting).rejects.toThrow(/abort/i);
  const pid = managed.pid;
  await managed.stop();
  expect(isRunning(pid)).toBe(false);
});

test("a process stopped with SIGSTOP still ends", async () => {
  const { process: managed } = create(SERVES);
  await managed.start(never);
  const pid = managed.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  await managed.stop();
  expect(isRunning(pid)).toBe(false);
});
