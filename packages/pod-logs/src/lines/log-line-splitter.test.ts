import { createHash } from "node:crypto";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { hashOf, LogLineSplitter, type SplitLine, type TimedLine } from "./log-line-splitter.ts";

const TIME = "2026-01-01T00:00:00.000000001Z";

function split(chunks: readonly Uint8Array[], lineBytes = 64): SplitLine[] {
  const splitter = new LogLineSplitter(lineBytes);
  const lines = chunks.flatMap((chunk) => [...splitter.linesOf(chunk)]);
  const rest = splitter.end();
  return rest === undefined ? lines : [...lines, rest];
}

function timed(line: SplitLine | undefined): TimedLine {
  if (line === undefined || "notice" in line) throw new Error("no line with a time");
  return line;
}

function sha(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function inChunks(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

describe("a log in lines", () => {
  test("is the same however its bytes are cut into chunks", () => {
    const texts = fc.array(
      fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.replaceAll(/[\r\n]/g, "")),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 10 }), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((line) => `${TIME} ${line}\n`).join(""));
        expect(split(inChunks(bytes, sizes))).toEqual(split([bytes]));
      }),
    );
  });

  test("retains every text whole, or its beginning with the number of cut bytes and the hash of all of it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 1, max: 100 }), (raw, size) => {
        const text = raw.replaceAll(/[\r\n]/g, "");
        const joined = Buffer.from(text);
        const line = timed(split(inChunks(Buffer.from(`${TIME} ${text}\n`), [size]))[0]);
        const retained = Buffer.byteLength(line.text);
        expect(text.startsWith(line.text)).toBe(true);
        expect(retained + line.cutBytes).toBe(joined.length);
        expect(retained).toBeLessThanOrEqual(64);
        expect(line.cutBytes === 0 || retained > 60).toBe(true);
        expect(Buffer.from(hashOf(line)).toString("hex")).toBe(sha(joined));
      }),
    );
  });

  test("holds a line of 10 MB as its first 64 KiB", () => {
    const splitter = new LogLineSplitter(64 * 1024);
    const chunk = Buffer.alloc(64 * 1024, "x");
    const all = createHash("sha256");
    expect([...splitter.linesOf(Buffer.from(`${TIME} `))]).toEqual([]);
    for (let n = 0; n < 160; n += 1) {
      expect([...splitter.linesOf(chunk)]).toEqual([]);
      all.update(chunk);
    }
    const [line] = [...splitter.linesOf(Buffer.from("\n"))];
    expect(timed(line).text).toHaveLength(64 * 1024);
    expect(timed(line).cutBytes).toBe(159 * 64 * 1024);
    expect(Buffer.from(hashOf(timed(line))).toString("hex")).toBe(all.digest("hex").slice(0, 16));
  });

  test("hashes a carriage return inside of a long line, and not the one at its end", () => {
    const chunks = [`${TIME} ${"x".repeat(200)}\r`, "y\r", "\n"].map((text) => Buffer.from(text));
    expect(Buffer.from(hashOf(timed(split(chunks)[0]))).toString("hex")).toBe(sha(Buffer.from(`${"x".repeat(200)}\ry`)));
  });

  test("replaces bytes that are not UTF-8, and hashes them as they are", () => {
    const raw = Buffer.from([0x61, 0xff, 0x62]);
    const line = timed(split([Buffer.concat([Buffer.from(`${TIME} `), raw, Buffer.from("\r\n")])])[0]);
    expect(line.text).toBe("a\u{fffd}b");
    expect(Buffer.from(hashOf(line)).toString("hex")).toBe(sha(raw));
  });

  test.each([
    ["2026-01-01T00:00:00Z a", 1_767_225_600_000_000_000n],
    ["2026-01-01T02:00:00.5+02:00 a", 1_767_225_600_500_000_000n],
    ["2026-01-01T00:00:00.123456789Z a", 1_767_225_600_123_456_789n],
  ])("reads the time of %s", (text, nanos) => {
    expect(timed(split([Buffer.from(`${text}\n`)])[0])).toMatchObject({ timeNanos: nanos, text: "a" });
  });

  test("without a time is a notice of the kubelet", () => {
    expect(split([Buffer.from("unable to retrieve container logs for containerd://1\n")])).toEqual([
      { notice: "unable to retrieve container logs for containerd://1" },
    ]);
  });
});
