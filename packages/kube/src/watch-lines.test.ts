import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { WatchLineError, WatchLineSplitter } from "./watch-lines.ts";

const encoder = new TextEncoder();

function line(type: string, name: string): string {
  return `${JSON.stringify({ type, object: { apiVersion: "v1", kind: "Pod", metadata: { name } } })}\n`;
}

describe("WatchLineSplitter", () => {
  test("gives the same events however the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { minLength: 1 }),
        fc.array(fc.nat({ max: 40 }), { minLength: 1 }),
        (names, cuts) => {
          const bytes = encoder.encode(names.map((name) => line("ADDED", name)).join(""));
          const splitter = new WatchLineSplitter();
          const seen: string[] = [];
          let offset = 0;
          for (let turn = 0; offset < bytes.length; turn += 1) {
            const size = (cuts[turn % cuts.length] ?? 0) + 1;
            for (const event of splitter.push(bytes.subarray(offset, offset + size))) {
              if (event.type === "ADDED") seen.push(event.object.metadata.name);
            }
            offset += size;
          }
          expect(seen).toEqual(names);
          expect(splitter.pendingBytes).toBe(0);
        },
      ),
    );
  });

  test("keeps what it needs when the transport reuses the chunk's memory", () => {
    const splitter = new WatchLineSplitter();
    const bytes = encoder.encode(line("ADDED", "a"));
    const chunk = bytes.slice(0, 20);
    expect(splitter.push(chunk)).toEqual([]);
    chunk.fill(0);
    expect(splitter.push(bytes.subarray(20))).toMatchObject([{ type: "ADDED" }]);
  });

  test("reads bookmarks and errors", () => {
    const bookmark = {
      type: "BOOKMARK",
      object: { kind: "Pod", apiVersion: "v1", metadata: { resourceVersion: "9", annotations: { "k8s.io/initial-events-end": "true" } } },
    };
    const error = {
      type: "ERROR",
      object: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message: "too old", reason: "Expired", code: 410 },
    };
    const splitter = new WatchLineSplitter();
    const events = splitter.push(encoder.encode(`${JSON.stringify(bookmark)}\n\n${JSON.stringify(error)}\n`));
    expect(events).toMatchObject([
      { type: "BOOKMARK", resourceVersion: "9", initialEventsEnd: true },
      { type: "ERROR", status: { code: 410, reason: "Expired" } },
    ]);
  });

  test("refuses a line that is not JSON and one that is too long", () => {
    expect(() => new WatchLineSplitter().push(encoder.encode("<html>\n"))).toThrow(WatchLineError);
    expect(() => new WatchLineSplitter({ maxLineBytes: 8 }).push(encoder.encode("123456789"))).toThrow("longer than 8 bytes");
  });
});
