import { readFileSync, writeFileSync } from "node:fs";

/** Clock ticks per second of /proc; 100 on every Linux this runs on. */
const TICKS_PER_SECOND = 100;

/** CPU time a process has used so far, in milliseconds, user and system together. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name stands in parentheses and may hold blanks; fields are counted behind it (proc(5): utime 14, stime 15).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

/** Resident memory of a process now, in MiB. */
export function memoryMibOf(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

/** Highest resident memory of a process so far, in MiB. */
export function peakMemoryMibOf(pid: number): number {
  const match = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

/** From now on the peak is counted anew (proc(5), clear_refs). */
export function resetPeakMemoryOf(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
