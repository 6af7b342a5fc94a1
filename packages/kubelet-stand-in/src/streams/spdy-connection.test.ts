import { duplexPair } from "node:stream";

import { systemClock } from "@binnacle/rpc";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { BrokenPipe, readAll } from "./byte-streams.ts";
import { SpdyConnection } from "./spdy-connection.ts";
import { controlFrame, FRAME, numbersFrame, synStreamFrame, SpdyDecoder } from "./spdy-frames.ts";
import { HeaderCompressor, HeaderDecompressor, SPDY_DICTIONARY } from "./spdy-headers.ts";
import type { SpdyStream } from "./spdy-stream.ts";

const IDLE_MS = 60_000;
const NOTHING = (): void => undefined;

function pair(onStream: (stream: SpdyStream) => string | (() => void) = () => NOTHING) {
  const [a, b] = duplexPair();
  const server = new SpdyConnection(a, "server", { clock: systemClock, idleMs: IDLE_MS, onStream });
  const client = new SpdyConnection(b, "client", { clock: systemClock, idleMs: IDLE_MS, onStream: () => "no streams of servers" });
  return { server, client };
}

/** Adler-32, RFC 1950. */
function adler(bytes: Buffer): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return ((b << 16) | a) >>> 0;
}

describe("the header compression", () => {
  test("has the dictionary whose checksum every SPDY/3 peer sends", () => {
    expect(SPDY_DICTIONARY).toHaveLength(1423);
    expect(adler(SPDY_DICTIONARY)).toBe(0xe3c6a7c2);
  });

  test("any headers survive, block after block", async () => {
    const [compressor, decompressor] = [new HeaderCompressor(), new HeaderDecompressor()];
    const name = fc.stringMatching(/^[a-z][a-z-]{0,20}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, fc.string()), { maxLength: 20 }), async (entries) => {
        const headers = new Map(entries);
        expect(await decompressor.decompress(await compressor.compress(headers))).toEqual(headers);
      }),
    );
  });

  test("a block that expands beyond 64 KiB is an error", async () => {
    const bomb = await new HeaderCompressor().compress(new Map([["a", "x".repeat(10_000_000)]]));
    expect(bomb.length).toBeLessThan(64 * 1024);
    await expect(new HeaderDecompressor().decompress(bomb)).rejects.toThrow("broken header block");
  });
});

describe("a connection", () => {
  test("carries bytes both ways, with half-close", async () => {
    const { client } = pair((stream) => {
      return () =>
        void (async () => {
          const text = (await readAll(stream, 1000)).toString();
          await stream.write(`${stream.headers.get("streamtype")}: ${text}`);
          await stream.end();
        })();
    });
    const stream = await client.open(new Map([["streamType", "data"]]));
    await stream.write("hello");
    await stream.end();
    expect((await readAll(stream, 1000)).toString()).toBe("data: hello");
  });

  test("a writer waits for a reader that does not read", async () => {
    let received: SpdyStream | undefined;
    const { client } = pair((stream) => {
      received = stream;
      return NOTHING;
    });
    const stream = await client.open(new Map());
    let written = 0;
    const writing = (async () => {
      for (let index = 0; index < 1000; index += 1) {
        await stream.write(Buffer.alloc(32 * 1024));
        written += 1;
      }
      await stream.end();
    })();
    for (let turn = 0; turn < 1000; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(written).toBeLessThan(20);
    let size = 0;
    for (let chunk = await received?.read(); chunk !== undefined; chunk = await received?.read()) size += chunk.length;
    await writing;
    expect(size).toBe(1000 * 32 * 1024);
  });

  test("no byte of an answer leaves before SYN_REPLY", async () => {
    const { client } = pair((stream) => () => void stream.write("at once").then(() => stream.end()));
    const streams = await Promise.all([1, 2, 3].map(() => client.open(new Map([["streamtype", "data"]]))));
    for (const stream of streams) expect((await readAll(stream, 100)).toString()).toBe("at once");
    // Our client would take them in any order.
    const [a, b] = duplexPair();
    const onStream = (stream: SpdyStream) => () => void stream.write("at once").then(() => stream.end());
    void new SpdyConnection(a, "server", { clock: systemClock, idleMs: IDLE_MS, onStream });
    b.write(synStreamFrame(1, await new HeaderCompressor().compress(new Map([["streamtype", "data"]]))));
    const decoder = new SpdyDecoder();
    const frames: (number | "data" | "end")[] = [];
    for await (const chunk of b) {
      for (const frame of decoder.decode(chunk as Buffer))
        frames.push(frame.kind === "control" ? frame.type : frame.isLast ? "end" : "data");
      if (frames.includes("end")) break;
    }
    expect(frames).toEqual([FRAME.synReply, "data", "end"]);
  });

  test("a stream with headers that make no sense is reset", async () => {
    const { client } = pair(() => "no");
    await expect(client.open(new Map())).rejects.toBeInstanceOf(BrokenPipe);
  });

  test("the 257th stream is refused", async () => {
    const { client } = pair();
    for (let index = 0; index < 256; index += 1) await client.open(new Map());
    await expect(client.open(new Map())).rejects.toBeInstanceOf(BrokenPipe);
  });

  test("reads and writes end when the connection does", async () => {
    const { server, client } = pair();
    const stream = await client.open(new Map());
    await server.close();
    expect(await stream.read()).toBeUndefined();
  });

  test.each([
    ["another version", Buffer.from([0x80, 2, 0, 1, 0, 0, 0, 0])],
    ["a control frame of 1 MiB", Buffer.from([0x80, 3, 0, 1, 0, 0x10, 0, 0])],
    ["a header block that is no zlib", synStreamFrame(1, Buffer.from("no zlib at all"))],
    ["a short SYN_STREAM", controlFrame(FRAME.synStream, 0, Buffer.alloc(4))],
    ["a short RST_STREAM", controlFrame(FRAME.rstStream, 0, Buffer.alloc(1))],
  ])("%s closes it", async (_, bytes) => {
    const [a, b] = duplexPair();
    const server = new SpdyConnection(a, "server", { clock: systemClock, idleMs: IDLE_MS, onStream: () => NOTHING });
    const closed = new Promise<void>((resolve) => server.signal.addEventListener("abort", () => resolve()));
    b.write(bytes);
    await closed;
    expect(a.destroyed).toBe(true);
  });

  test("pings are answered, SETTINGS and unknown frames are skipped", async () => {
    const [a, b] = duplexPair();
    const server = new SpdyConnection(a, "server", { clock: systemClock, idleMs: IDLE_MS, onStream: () => NOTHING });
    b.write(Buffer.concat([numbersFrame(FRAME.settings, 0), numbersFrame(99, 1), numbersFrame(FRAME.ping, 7)]));
    const first = await new Promise<Buffer>((resolve) => b.once("data", resolve));
    const [answer] = [...new SpdyDecoder().decode(first)];
    expect(answer).toEqual({ kind: "control", type: FRAME.ping, flags: 0, payload: Buffer.from([0, 0, 0, 7]) });
    await server.close();
  });
});

test("frames are decoded alike however the bytes are cut", () => {
  const bytes = Buffer.concat([
    numbersFrame(FRAME.ping, 1),
    Buffer.from([0, 0, 0, 1, 1, 0, 0, 3, 97, 98, 99]),
    numbersFrame(FRAME.goAway, 0, 0),
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
      const decoder = new SpdyDecoder();
      const ends = [...cuts, bytes.length].toSorted((x, y) => x - y);
      const frames = ends.flatMap((end, index) => [...decoder.decode(bytes.subarray(ends[index - 1] ?? 0, end))]);
      const data = frames.flatMap((frame) => (frame.kind === "data" ? [frame.payload] : []));
      expect(Buffer.concat(data).toString()).toBe("abc");
      expect(frames.filter((frame) => frame.kind === "data" && frame.isLast)).toHaveLength(1);
      expect(frames.filter((frame) => frame.kind === "control").map((frame) => frame.type)).toEqual([FRAME.ping, FRAME.goAway]);
    }),
  );
});
