import { connect, createServer } from "node:http2";
import { Duplex } from "node:stream";

import fc from "fast-check";
import { expect, test } from "vitest";

import { AuthorityRewriter, CONSTANT_AUTHORITY, encodeLiterals } from "./authority-rewriter.ts";
import { HeaderBlock } from "./header-block.ts";
import { HeaderDecoder } from "./header-decoder.ts";
import { HpackError } from "./hpack-error.ts";

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const SETTINGS = Buffer.from("000000040000000000", "hex");
const URL_AS_AUTHORITY = "ws://127.0.0.1:18200/some/path";
const HEADERS = 1;
const CONTINUATION = 9;
const END_STREAM = 0x1;
const END_HEADERS = 0x4;
const PADDED = 0x8;
const PRIORITY = 0x20;

/** A frame of stream 1 by hand. */
function frame(type: number, flags: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.byteLength, 0, 3);
  header[3] = type;
  header[4] = flags;
  header.writeUInt32BE(1, 5);
  return Buffer.concat([header, payload]);
}

/** The same frame on stream 3. */
function onOtherStream(of: Buffer): Buffer {
  const moved = Buffer.from(of);
  moved.writeUInt32BE(3, 5);
  return moved;
}

const text = (value: string): Buffer => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
/** `:method: POST`, `:scheme: http`, `:path: /a/B` as literal without indexing with the indexed name 4. */
const PSEUDO = Buffer.concat([Buffer.of(0x83, 0x86, 0x04), text("/a/B")]);
const INDEXED_NAME_NEW_ENTRY = Buffer.concat([Buffer.of(0x41), text(URL_AS_AUTHORITY)]);
/** The same 30 characters in 21 bytes of Huffman code, by the table of RFC 7541, appendix B. */
const HUFFMAN = Buffer.concat([Buffer.of(0x41, 0x80 | 21), Buffer.from("f08b8c30113ab81702e1b81784003083d2562b1a67", "hex")]);

/** Headers of each message the session would see. */
function headersIn(bytes: Uint8Array): { readonly streamId: number; readonly fields: readonly string[]; readonly block: HeaderBlock }[] {
  const decoder = new HeaderDecoder({ tableBytes: 0, listBytes: 1_000_000 });
  const seen: ReturnType<typeof headersIn> = [];
  let rest = Buffer.from(bytes).subarray(PREFACE.byteLength);
  let block: HeaderBlock | undefined;
  while (rest.byteLength > 0) {
    const next = rest.subarray(0, 9 + rest.readUIntBE(0, 3));
    rest = rest.subarray(next.byteLength);
    if (next[3] === HEADERS) block = new HeaderBlock(next);
    else if (next[3] === CONTINUATION) block?.continue(next);
    else continue;
    if (block?.complete !== true) continue;
    const fields = decoder.decode(block.fragment()).map(({ field: [name, value] }) => `${name}: ${value}`);
    seen.push({ streamId: block.streamId, fields, block });
  }
  return seen;
}

function rewrite(frames: readonly Uint8Array[], chunkBytes = 1_000_000): Buffer {
  const rewriter = new AuthorityRewriter();
  const bytes = Buffer.concat([PREFACE, ...frames]);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) out.push(...rewriter.push(bytes.subarray(at, at + chunkBytes)));
  return Buffer.concat(out);
}

const REWRITTEN = [":method: POST", ":scheme: http", ":path: /a/B", `:authority: ${CONSTANT_AUTHORITY}`];
const literal = Buffer.concat([PSEUDO, Buffer.of(0x00), text(":authority"), text(URL_AS_AUTHORITY)]);
const indexed = Buffer.concat([PSEUDO, INDEXED_NAME_NEW_ENTRY]);
/** Entry 62 is the newest of the dynamic table. */
const again = Buffer.concat([PSEUDO, Buffer.of(0xbe)]);

const GOLDEN: Readonly<Record<string, { readonly frames: readonly Buffer[]; readonly messages: number }>> = {
  "as a literal": { frames: [frame(HEADERS, END_HEADERS, literal)], messages: 1 },
  "Huffman-coded": { frames: [frame(HEADERS, END_HEADERS, Buffer.concat([PSEUDO, HUFFMAN]))], messages: 1 },
  "out of the dynamic table": {
    frames: [frame(HEADERS, END_HEADERS, indexed), SETTINGS, onOtherStream(frame(HEADERS, END_HEADERS | END_STREAM, again))],
    messages: 2,
  },
  "cut by CONTINUATION in its middle": {
    frames: [
      frame(HEADERS, END_STREAM, literal.subarray(0, 20)),
      frame(CONTINUATION, 0, Buffer.alloc(0)),
      frame(CONTINUATION, 0, literal.subarray(20, 21)),
      frame(CONTINUATION, END_HEADERS, literal.subarray(21)),
    ],
    messages: 1,
  },
  "padded and with a priority": {
    frames: [
      frame(
        HEADERS,
        END_HEADERS | PADDED | PRIORITY,
        Buffer.concat([Buffer.of(7), Buffer.from("8000000010", "hex"), literal, Buffer.alloc(7)]),
      ),
    ],
    messages: 1,
  },
};

test.each(Object.keys(GOLDEN))("I2: an authority that is a URL, %s, becomes a legal one", (form) => {
  const { frames, messages } = GOLDEN[form] ?? { frames: [], messages: 0 };
  const seen = headersIn(rewrite(frames));
  expect(seen.map(({ fields }) => fields)).toEqual(Array.from({ length: messages }, () => REWRITTEN));
  expect(seen.map(({ block }) => block.endStream)).toEqual(
    frames.filter((sent) => sent[3] === HEADERS).map((sent) => ((sent[4] ?? 0) & END_STREAM) !== 0),
  );
});

test.each(Object.keys(GOLDEN))("I2: a byte at a time makes no difference: %s", (form) => {
  const { frames } = GOLDEN[form] ?? { frames: [] };
  expect(rewrite(frames, 1)).toEqual(rewrite(frames));
});

test("a priority stays, padding goes", () => {
  const [sent] = GOLDEN["padded and with a priority"]?.frames ?? [];
  const [seen] = headersIn(rewrite(sent ? [sent] : []));
  expect(Buffer.from(seen?.block.priority ?? []).toString("hex")).toBe("8000000010");
});

test("frames without headers pass as they are, whatever is in them", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(0, 2, 3, 4, 6, 7, 8, 77), fc.nat(255), fc.uint8Array({ maxLength: 300 }))),
      fc.integer({ min: 1, max: 50 }),
      (frames, chunkBytes) => {
        const sent = frames.map(([type, flags, payload]) => frame(type, flags, payload));
        expect(rewrite(sent, chunkBytes)).toEqual(Buffer.concat([PREFACE, ...sent]));
      },
    ),
  );
});

test("a field that must never be indexed stays so", () => {
  const fields = [{ field: ["authorization", "Bearer x"] as const, sensitive: true }];
  const decoder = new HeaderDecoder({ tableBytes: 0, listBytes: 1_000 });
  expect(decoder.decode(encodeLiterals(fields))).toEqual(fields);
});

const BROKEN: Readonly<Record<string, readonly Buffer[]>> = {
  "an index that was not set": [frame(HEADERS, END_HEADERS, Buffer.of(0xbe))],
  "index 0": [frame(HEADERS, END_HEADERS, Buffer.of(0x80))],
  "a string longer than its block": [frame(HEADERS, END_HEADERS, Buffer.of(0x00, 0x05, 0x61))],
  "a number without end": [frame(HEADERS, END_HEADERS, Buffer.of(0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01))],
  "EOS inside a string": [frame(HEADERS, END_HEADERS, Buffer.of(0x00, 0x84, 0xff, 0xff, 0xff, 0xff, 0x00))],
  "padding of a string with zeros": [frame(HEADERS, END_HEADERS, Buffer.of(0x00, 0x81, 0x18, 0x00))],
  "a table larger than we allow": [frame(HEADERS, END_HEADERS, Buffer.of(0x3f, 0xe2, 0x1f))],
  "a new size of the table in the middle": [frame(HEADERS, END_HEADERS, Buffer.of(0x83, 0x20))],
  "padding larger than its frame": [frame(HEADERS, END_HEADERS | PADDED, Buffer.of(9, 0x83))],
  "a priority larger than its frame": [frame(HEADERS, END_HEADERS | PRIORITY, Buffer.of(0, 0, 0))],
  "padded without a length": [frame(HEADERS, END_HEADERS | PADDED, Buffer.alloc(0))],
  "a frame inside a block": [frame(HEADERS, 0, Buffer.of(0x83)), SETTINGS],
  "CONTINUATION of another stream": [frame(HEADERS, 0, Buffer.of(0x83)), onOtherStream(frame(CONTINUATION, END_HEADERS, Buffer.of(0x86)))],
  "CONTINUATION of nothing": [frame(CONTINUATION, END_HEADERS, Buffer.of(0x83))],
  PUSH_PROMISE: [frame(5, END_HEADERS, Buffer.of(0, 0, 0, 2, 0x83))],
  "a flood of CONTINUATION": [
    frame(HEADERS, 0, Buffer.of(0x83)),
    ...Array.from({ length: 64 }, () => frame(CONTINUATION, 0, Buffer.alloc(0))),
  ],
  "a HEADERS frame larger than 16 KiB": [frame(HEADERS, END_HEADERS, Buffer.alloc(16_385, 0x83))],
  "a block larger than 64 KiB": [
    frame(HEADERS, 0, Buffer.alloc(16_384, 0x83)),
    ...Array.from({ length: 4 }, () => frame(CONTINUATION, 0, Buffer.alloc(16_384, 0x83))),
  ],
  "a header bomb: one byte each for the largest entry": [
    frame(
      HEADERS,
      END_HEADERS,
      Buffer.concat([Buffer.of(0x40), text("bomb"), Buffer.of(127, 0x81, 0x1e), Buffer.alloc(4_000, 65), Buffer.alloc(9_000, 0xbe)]),
    ),
  ],
};

test.each(Object.keys(BROKEN))("I2, T13: %s ends the connection", (what) => {
  expect(() => rewrite(BROKEN[what] ?? [])).toThrow(HpackError);
});

/** What ends a rewriter; undefined when nothing did. */
function failureOf(bytes: Uint8Array, chunkBytes: number): unknown {
  try {
    rewrite([bytes], chunkBytes);
    return undefined;
  } catch (error) {
    return error;
  }
}

test("bytes that are no HTTP/2 at all never do more than end the connection", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3_000 }), fc.integer({ min: 1, max: 3_000 }), (bytes, chunkBytes) => {
      const failure = failureOf(bytes, chunkBytes);
      expect(failure === undefined || failure instanceof HpackError).toBe(true);
    }),
    { numRuns: 500 },
  );
});

/** A client and a server of Node, with all bytes of the client going through a rewriter. */
async function throughNode(requests: readonly Readonly<Record<string, string>>[], chunkBytes: number): Promise<Record<string, unknown>[]> {
  const seen: Record<string, unknown>[] = [];
  const server = createServer();
  server.on("stream", (stream, headers) => {
    seen.push({ ...headers });
    stream.respond({ ":status": 204 }, { endStream: true });
  });
  const rewriter = new AuthorityRewriter();
  const [near, far] = pipe((chunk) => {
    const out: Uint8Array[] = [];
    for (let at = 0; at < chunk.byteLength; at += chunkBytes) out.push(...rewriter.push(chunk.subarray(at, at + chunkBytes)));
    return Buffer.concat(out);
  });
  server.emit("connection", far);
  const client = connect("http://some.host", { createConnection: () => near });
  for (const headers of requests) {
    const stream = client.request({ ...headers, ":authority": "some.host:1" });
    await new Promise((resolve, reject) => stream.on("response", resolve).on("error", reject).resume());
  }
  client.destroy();
  return seen;
}

/** Two ends of a pipe in memory; the first one's bytes are mapped. */
function pipe(map: (chunk: Buffer) => Buffer): [Duplex, Duplex] {
  const end = (send: (chunk: Buffer) => void): Duplex =>
    new Duplex({
      read: () => undefined,
      write(chunk: Buffer, _encoding, done) {
        send(chunk);
        done();
      },
    });
  const near: Duplex = end((chunk) => void far.push(map(chunk)));
  const far: Duplex = end((chunk) => void near.push(chunk));
  return [near, far];
}

const NAME = fc.stringMatching(/^x-[a-z0-9-]{1,30}$/);
const VALUE = fc.stringMatching(/^[!-~]([ -~]{0,200}[!-~])?$/);
/** The same names and values come again, so that Node's encoder uses its table, until it is full. */
const REQUESTS = fc
  .array(fc.tuple(NAME, VALUE), { minLength: 1, maxLength: 20 })
  .chain((fields) => fc.array(fc.subarray(fields), { minLength: 1, maxLength: 12 }))
  .map((messages) => messages.map((fields) => Object.fromEntries([...fields, [":path", `/${fields.length}`], [":method", "POST"]])));

test("I2: the headers from Node's encoder reach Node's decoder unchanged but for the authority", async () => {
  await fc.assert(
    fc.asyncProperty(REQUESTS, fc.constantFrom(1, 7, 100_000), async (requests, chunkBytes) => {
      const seen = await throughNode(requests, chunkBytes);
      expect(seen).toEqual(requests.map((headers) => expect.objectContaining({ ...headers, ":authority": CONSTANT_AUTHORITY })));
    }),
    { numRuns: 60 },
  );
});
