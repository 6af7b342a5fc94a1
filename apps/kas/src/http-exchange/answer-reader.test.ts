import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { HttpResponseSchema } from "@binnacle/proto/grpctool";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { AnswerReader } from "./answer-reader.ts";

type Message = MessageInitShape<typeof HttpResponseSchema>["message"];

const encode = (message: Message): Uint8Array => toBinary(HttpResponseSchema, create(HttpResponseSchema, { ...(message && { message }) }));
const header = (status: number, headers: Record<string, string[]> = {}): Uint8Array =>
  encode({
    case: "header",
    value: {
      response: { statusCode: status, header: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])) },
    },
  });
const data = (text: string): Uint8Array => encode({ case: "data", value: { data: Buffer.from(text) } });
const TRAILER = encode({ case: "trailer", value: {} });

/** Bytes that got through; throws what the reader throws. */
function readAll(messages: readonly Uint8Array[], method = "GET"): string {
  const reader = new AnswerReader(method);
  let body = "";
  for (const message of messages) {
    const part = reader.read(message);
    if (part?.kind === "data") body += Buffer.from(part.body).toString();
  }
  reader.end();
  return body;
}

const broken = expect.objectContaining({ reason: "answer_broken" });
const disorder = expect.objectContaining({ reason: "frame_order" });

describe("length", () => {
  test("an answer of the announced length passes, and one that announces none has any", () => {
    expect(readAll([header(200, { "Content-Length": ["4"] }), data("ab"), data(""), data("cd"), TRAILER])).toBe("abcd");
    expect(readAll([header(200), data("ab"), TRAILER])).toBe("ab");
    expect(readAll([header(200, { "Content-Length": ["0"] }), TRAILER])).toBe("");
  });

  test.each(["Content-Length", "content-length", "CONTENT-LENGTH"])(
    "KB3, T15: more bytes than %s says are refused before they pass",
    (name) => {
      const reader = new AnswerReader("GET");
      reader.read(header(200, { [name]: ["2"] }));
      expect(reader.read(data("{}"))).toMatchObject({ kind: "data" });
      expect(() => reader.read(data("H"))).toThrow(broken);
    },
  );

  test("KB3, T15: fewer bytes than announced are no whole answer", () => {
    expect(() => readAll([header(200, { "Content-Length": ["3"] }), data("ab"), TRAILER])).toThrow(broken);
    expect(() => readAll([header(200, { "Content-Length": ["3"] }), data("ab")])).toThrow(disorder);
  });

  test.each([
    ["two lengths", { "Content-Length": ["2", "3"] }],
    ["two spellings that differ", { "Content-Length": ["2"], "content-length": ["3"] }],
    ["a list", { "Content-Length": ["2, 3"] }],
    ["a sign", { "Content-Length": ["+2"] }],
    ["hex", { "Content-Length": ["0x2"] }],
    ["nothing", { "Content-Length": [""] }],
    ["too large a number", { "Content-Length": ["9999999999999999"] }],
  ])("T12: %s is no length", (_name, headers) => {
    expect(() => readAll([header(200, headers), data("ab"), TRAILER])).toThrow(broken);
  });

  test("T12: a length that is repeated is one length", () => {
    const part = new AnswerReader("GET").read(header(200, { "Content-Length": ["2, 2"], "content-length": ["02"] }));
    expect(part).toMatchObject({ contentLength: 2 });
  });

  test.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("KB3: an answer to %s with %i has no body, whatever it announces", (method, status) => {
    expect(readAll([header(status, { "Content-Length": ["5"] }), TRAILER], method)).toBe("");
    expect(() => readAll([header(status, { "Content-Length": ["5"] }), data("x"), TRAILER], method)).toThrow(broken);
  });

  test("KB3: whatever the pieces, exactly the announced bytes are an answer", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.array(fc.nat(8), { maxLength: 6 }), (announced, sizes) => {
        const messages = [header(200, { "Content-Length": [String(announced)] }), ...sizes.map((size) => data("x".repeat(size))), TRAILER];
        const total = sizes.reduce((sum, size) => sum + size, 0);
        let read: number | "broken";
        try {
          read = readAll(messages).length;
        } catch {
          read = "broken";
        }
        expect(read).toBe(total === announced ? total : "broken");
      }),
    );
  });
});

describe("order and size", () => {
  test.each([
    ["data first", [data("x")]],
    ["a second header", [header(200), header(200)]],
    ["data after the trailer", [header(200), TRAILER, data("x")]],
    ["a second trailer", [header(200), TRAILER, TRAILER]],
    ["bytes of an upgrade", [header(200), TRAILER, encode({ case: "upgradeData", value: { data: Buffer.from("x") } })]],
    ["an empty message", [new Uint8Array()]],
    ["an end without a trailer", [header(200), data("x")]],
    ["nothing at all", []],
  ])("T15: %s is out of order", (_name, messages) => {
    expect(() => readAll(messages)).toThrow(disorder);
  });

  test("T15: eight informational answers are passed over, the ninth is one too many", () => {
    const early = Array.from({ length: 8 }, () => header(103));
    expect(readAll([...early, header(200), data("x"), TRAILER])).toBe("x");
    expect(() => readAll([...early, header(100), header(200), TRAILER])).toThrow(broken);
  });

  test.each([0, 99, 101, 600, 999])("T1, T15: %i is no status of an answer", (status) => {
    expect(() => readAll([header(status), TRAILER])).toThrow(broken);
  });

  describe("of a request for an upgrade", () => {
    const SWITCHED = header(101, { Upgrade: ["SPDY/3.1"] });
    const raw = (text: string): Uint8Array => encode({ case: "upgradeData", value: { data: Buffer.from(text) } });
    const readUpgrade = (messages: readonly Uint8Array[]): readonly string[] => {
      const reader = new AnswerReader("POST", "spdy/3.1");
      const parts = messages.map((message) => reader.read(message));
      reader.end();
      return parts.map((part) => (part?.kind === "raw" ? Buffer.from(part.bytes).toString() : (part?.kind ?? "-")));
    };

    test("bytes follow the trailer of a 101, until its end", () => {
      expect(readUpgrade([header(103), SWITCHED, TRAILER, raw("a"), raw(""), raw("b")])).toEqual([
        "informational",
        "switched",
        "-",
        "a",
        "-",
        "b",
      ]);
      expect(readUpgrade([SWITCHED, TRAILER])).toEqual(["switched", "-"]);
      expect(readUpgrade([header(403), data("no"), TRAILER])).toEqual(["header", "data", "-"]);
    });

    test.each([
      ["bytes first", [raw("x")], disorder],
      ["bytes before the trailer", [SWITCHED, raw("x")], disorder],
      ["a body", [SWITCHED, data("x")], disorder],
      ["a second header", [SWITCHED, TRAILER, header(200)], disorder],
      ["bytes behind another answer", [header(200), TRAILER, raw("x")], disorder],
      ["a 101 that ends with its header", [SWITCHED], disorder],
      ["a 101 without a protocol", [header(101)], broken],
      ["a 101 with another protocol", [header(101, { Upgrade: ["websocket"] })], broken],
      ["a 101 with two protocols", [header(101, { Upgrade: ["SPDY/3.1"], upgrade: ["h2c"] })], broken],
    ])("T1, T15: %s is refused", (_name, messages, fault) => {
      expect(() => readUpgrade(messages)).toThrow(fault);
    });
  });

  test.each(["a\r\nSet-Cookie: x", "a\nb", "a\0b", "\u007f"])("T5, T15: %j is no value of a header", (value) => {
    expect(() => readAll([header(200, { Etag: [value] }), TRAILER])).toThrow(broken);
  });

  test("T15: a header of more than 64 KiB is none", () => {
    expect(() => readAll([header(200, { X: ["a".repeat(65_536)] }), TRAILER])).toThrow(broken);
    expect(() => readAll([header(103, { X: ["a".repeat(65_536)] }), header(200), TRAILER])).toThrow(broken);
  });
});
