import { createHash } from "node:crypto";

import { LineSource, readAll, type ByteSource } from "../streams/byte-streams.ts";
import { openForReading, pause, UsageError, type Process, type Program } from "./process.ts";

/** Memory of a program that needs its whole input. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;
const CHUNK_LINES = 512;

/** Sources of the operands, or the standard input. */
function inputs(process: Process, operands: readonly string[]): readonly { readonly name: string; readonly source: ByteSource }[] {
  if (operands.length === 0) return [{ name: "-", source: process.stdin }];
  return operands.map((name) => ({ name, source: openForReading(process, name) }));
}

/** `-n 5`, `-n5` or `-5`, and what is left. */
function count(process: Process, letter: string, otherwise: number): { readonly value: number; readonly operands: string[] } {
  const operands: string[] = [];
  let value = otherwise;
  const args = process.args.slice(1);
  for (let index = 0; index < args.length; index += 1) {
    const match = /^-([nc]?)(\d+)([kKMG]?)$/.exec(args[index] ?? "");
    if (match !== null && (match[1] === letter || (letter === "n" && match[1] === ""))) value = Number(match[2]) * scale(match[3]);
    else if (args[index] === `-${letter}`) {
      index += 1;
      const next = /^\+?(\d+)([kKMG]?)$/.exec(args[index] ?? "");
      if (next === null) throw new UsageError(`invalid number '${args[index] ?? ""}'`);
      value = Number(next[1]) * scale(next[2]);
    } else if (!(args[index] ?? "").startsWith("-")) operands.push(args[index] ?? "");
  }
  return { value, operands };
}

function scale(suffix: string | undefined): number {
  return { k: 1024, K: 1024, M: 1024 ** 2, G: 1024 ** 3 }[suffix ?? ""] ?? 1;
}

const head: Program = async (process) => {
  const inBytes = process.args.some((one) => one.startsWith("-c"));
  const { value, operands } = count(process, inBytes ? "c" : "n", inBytes ? 0 : 10);
  for (const { source } of inputs(process, operands)) {
    let left = value;
    const lines = new LineSource(source);
    while (left > 0 && !process.signal.aborted) {
      if (inBytes) {
        const chunk = await source.read();
        if (chunk === undefined) break;
        await process.stdout.write(chunk.subarray(0, left));
        left -= chunk.length;
      } else {
        const line = await lines.readLine();
        if (line === undefined) break;
        await process.stdout.write(`${line}\n`);
        left -= 1;
      }
    }
  }
  return 0;
};

const tail: Program = async (process) => {
  const { value, operands } = count(process, "n", 10);
  for (const { source } of inputs(process, operands)) {
    const text = (await readAll(source, MAX_INPUT_BYTES)).toString();
    const lines = text.replace(/\n$/, "").split("\n");
    if (text !== "" && value > 0) await process.stdout.write(`${lines.slice(-value).join("\n")}\n`);
  }
  return 0;
};

const wc: Program = async (process) => {
  const letters = process.args
    .slice(1)
    .filter((one) => /^-[clw]+$/.test(one))
    .join("");
  const operands = process.args.slice(1).filter((one) => !one.startsWith("-"));
  for (const { name, source } of inputs(process, operands)) {
    let [lines, words, bytes, inWord] = [0, 0, 0, false];
    for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) {
      bytes += chunk.length;
      for (const byte of chunk) {
        if (byte === 0x0a) lines += 1;
        const isSpace = byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
        if (!isSpace && !inWord) words += 1;
        inWord = !isSpace;
      }
    }
    const numbers = [
      ["l", lines],
      ["w", words],
      ["c", bytes],
    ] as const;
    const shown = numbers.filter(([letter]) => letters === "" || letters.includes(letter)).map(([, value]) => String(value));
    await process.stdout.write(`${shown.join(" ")}${name === "-" ? "" : ` ${name}`}\n`);
  }
  return 0;
};

function checksum(algorithm: "sha256" | "md5"): Program {
  return async (process) => {
    for (const { name, source } of inputs(process, process.args.slice(1))) {
      const hash = createHash(algorithm);
      for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) hash.update(chunk);
      await process.stdout.write(`${hash.digest("hex")}  ${name}\n`);
    }
    return 0;
  };
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", a: "\u0007", e: "\u001b", "0": "\0" };

function unescape(text: string): string {
  return text.replaceAll(/\\(?:x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|(.))/g, (whole, ...groups: (string | undefined)[]) => {
    const [hex, octal, letter] = groups;
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255);
    return ESCAPES[letter ?? ""] ?? whole;
  });
}

const echo: Program = async (process) => {
  const args = process.args.slice(1);
  const options = new Set<string>();
  while (/^-[neE]+$/.test(args[0] ?? "")) for (const letter of args.shift()?.slice(1) ?? "") options.add(letter);
  const text = args.join(" ");
  await process.stdout.write(`${options.has("e") ? unescape(text) : text}${options.has("n") ? "" : "\n"}`);
  return 0;
};

const printf: Program = async (process) => {
  const [format = "", ...values] = process.args.slice(1);
  const whole = unescape(format);
  do {
    const text = whole.replaceAll(/%(?:%|(-?)(0?)(\d*)([sdxb]))/g, (match, ...groups: (string | undefined)[]) => {
      const [left, zero, width, letter] = groups;
      if (match === "%%") return "%";
      const value = values.shift() ?? "";
      const number = Math.trunc(Number(value)) || 0;
      const plain = letter === "d" ? String(number) : letter === "x" ? number.toString(16) : letter === "b" ? unescape(value) : value;
      const size = Math.min(Number(width ?? 0), 4096);
      return left === "-" ? plain.padEnd(size) : plain.padStart(size, zero === "0" ? "0" : " ");
    });
    await process.stdout.write(text);
  } while (values.length > 0 && /%[^%]/.test(whole));
  return 0;
};

const seq: Program = async (process) => {
  const numbers = process.args.slice(1).map(Number);
  const [first, last] = numbers.length > 1 ? [numbers[0], numbers[1]] : [1, numbers[0]];
  if (first === undefined || last === undefined || !Number.isFinite(first + last)) throw new UsageError("invalid number");
  for (let at = first; at <= last && !process.signal.aborted; at += CHUNK_LINES) {
    const lines = Array.from({ length: Math.min(CHUNK_LINES, Math.floor(last - at) + 1) }, (_, index) => String(at + index));
    await process.stdout.write(`${lines.join("\n")}\n`);
  }
  return 0;
};

const yes: Program = async (process) => {
  const chunk = `${process.args[1] ?? "y"}\n`.repeat(CHUNK_LINES);
  // A sink that is always ready must not keep timers and sockets from their turn.
  while (await pauseTurn(process)) await process.stdout.write(chunk);
  return 0;
};

function pauseTurn(process: Process): Promise<boolean> {
  return new Promise((resolve) => setImmediate(() => resolve(!process.signal.aborted)));
}

/** Plain text only: an expression of a client could take for ever. */
const grep: Program = async (process) => {
  const options = process.args
    .slice(1)
    .filter((one) => /^-[a-z]+$/.test(one))
    .join("");
  const [pattern = "", ...operands] = process.args.slice(1).filter((one) => !/^-[a-z]+$/.test(one));
  const fold = (text: string): string => (options.includes("i") ? text.toLowerCase() : text);
  let found = 0;
  for (const { source } of inputs(process, operands)) {
    const lines = new LineSource(source);
    for (let line = await lines.readLine(); line !== undefined && !process.signal.aborted; line = await lines.readLine()) {
      if (fold(line).includes(fold(pattern)) === options.includes("v")) continue;
      found += 1;
      if (!/[qc]/.test(options)) await process.stdout.write(`${line}\n`);
    }
  }
  if (options.includes("c")) await process.stdout.write(`${found}\n`);
  return found > 0 ? 0 : 1;
};

const sort: Program = async (process) => {
  const options = process.args
    .slice(1)
    .filter((one) => /^-[a-z]+$/.test(one))
    .join("");
  for (const { source } of inputs(
    process,
    process.args.slice(1).filter((one) => !one.startsWith("-")),
  )) {
    const lines = (await readAll(source, MAX_INPUT_BYTES)).toString().replace(/\n$/, "").split("\n");
    lines.sort((a, b) => (options.includes("n") ? Number(a) - Number(b) : a < b ? -1 : a > b ? 1 : 0));
    if (options.includes("r")) lines.reverse();
    await process.stdout.write(`${lines.join("\n")}\n`);
  }
  return 0;
};

const base64: Program = async (process) => {
  const decode = process.args.includes("-d");
  for (const { source } of inputs(
    process,
    process.args.slice(1).filter((one) => !one.startsWith("-")),
  )) {
    const input = await readAll(source, MAX_INPUT_BYTES);
    await process.stdout.write(decode ? Buffer.from(input.toString(), "base64") : `${input.toString("base64")}\n`);
  }
  return 0;
};

const sleep: Program = async (process) => {
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(process.args[1] ?? "");
  if (process.args[1] === "infinity") return (await pause(process, 2 ** 31 - 1)) ? 0 : 1;
  if (match === null) throw new UsageError(`invalid time interval '${process.args[1] ?? ""}'`);
  const unit = { s: 1, m: 60, h: 3600, d: 86_400 }[match[2] ?? ""] ?? 1;
  await pause(process, Math.min(Number(match[1]) * unit * 1000, 2 ** 31 - 1));
  return 0;
};

/** Programs about text and time, by name. */
export const TEXT_PROGRAMS: Readonly<Record<string, Program>> = {
  head,
  tail,
  wc,
  sha256sum: checksum("sha256"),
  md5sum: checksum("md5"),
  echo,
  printf,
  seq,
  yes,
  grep,
  sort,
  base64,
  sleep,
};
