/** `npm run chaos [-- half-open|killed|…]`: disturbs real processes under load, one disturbance after the other, and prints what became of the requests. */
import { printTable } from "../bench/statistics.ts";
import { DISTURBANCES } from "./disturbances.ts";
import { runDisturbance, type Verdict } from "./disturbance.ts";

/** At twenty a second. */
const LENGTHS = { calm: 200, disturbed: 1_200 };

const names = process.argv.slice(2);
const chosen = DISTURBANCES.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
if (chosen.length === 0) {
  process.stderr.write(`no disturbance is called so; there are: ${DISTURBANCES.map(({ name }) => name).join(", ")}\n`);
  process.exit(2);
}
const verdicts: Verdict[] = [];
for (const disturbance of chosen) {
  process.stderr.write(`▸ ${disturbance.name}\n`);
  const failed = (error: unknown): Verdict => {
    const wrong = [error instanceof Error ? error.message : String(error)];
    return { name: disturbance.name, requests: 0, answered: 0, failures: new Map(), longestMs: Number.NaN, wrong };
  };
  const verdict = await runDisturbance(disturbance, LENGTHS).catch(failed);
  for (const sentence of verdict.wrong) process.stderr.write(`  ${sentence}\n`);
  verdicts.push(verdict);
}
printTable(
  "Disturbances under a steady load",
  verdicts.map(({ name, requests, answered, failures, longestMs, wrong }) => ({
    disturbance: name,
    requests,
    answered,
    "failed by code": [...failures].map(([code, count]) => `${count} × ${code}`).join(", ") || "none",
    "longest ms": longestMs,
    verdict: wrong.length === 0 ? "good" : "WRONG",
  })),
);
process.exitCode = verdicts.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
