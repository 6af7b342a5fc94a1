import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Which lines to look at. */
export interface SampleRequest {
  readonly root: string;
  /** Source files, relative to the root. */
  readonly files: readonly string[];
  /** How many lines; more than there are means all. */
  readonly count: number;
  /** Equal seeds choose equal lines, as long as the sources stay. */
  readonly seed: number;
}

/** Lines of code chosen at random, as the ranges that Stryker takes: `file:12-12`. Sorted. */
export function sampleLines({ root, files, count, seed }: SampleRequest): readonly string[] {
  const lines = files.flatMap((file) => linesOfCode(readFileSync(join(root, file), "utf8")).map((line) => `${file}:${line}-${line}`));
  const random = randomOf(seed);
  for (let index = lines.length - 1; index > 0; index -= 1) {
    const other = Math.floor(random() * (index + 1));
    // Both indexes are within the list.
    [lines[index], lines[other]] = [lines[other] as string, lines[index] as string];
  }
  return lines.slice(0, count).sort();
}

/** Numbers of the lines that are more than a comment, an import or a bracket; from 1. */
function linesOfCode(source: string): number[] {
  return source.split("\n").flatMap((line, index) => (/^\s*(?:$|\/\/|\/?\*|import |[\])};,]+$)/.test(line) ? [] : [index + 1]));
}

/** Mulberry32: small, and the same on every machine. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
