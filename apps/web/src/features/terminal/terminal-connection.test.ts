import { TerminalEnd, TerminalInputSchema, TerminalOutputSchema, type TerminalEnded } from "@binnacle/proto/dashboard";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { TerminalConnection, type TerminalSocket } from "./terminal-connection.ts";

/** The browser's end of a socket, without a network. */
class StandInSocket extends EventTarget implements TerminalSocket {
  binaryType: BinaryType = "blob";
  readyState: WebSocket["readyState"] = 0;
  readonly sent: unknown[] = [];
  closed: number | undefined;

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  receive(message: MessageInitShape<typeof TerminalOutputSchema>["message"] & object): void {
    const bytes = toBinary(TerminalOutputSchema, create(TerminalOutputSchema, { message }));
    this.dispatchEvent(new MessageEvent("message", { data: bytes.slice().buffer }));
  }

  end(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }

  send(data: string | Blob | ArrayBufferLike | ArrayBufferView): void {
    if (!(data instanceof Uint8Array)) throw new Error("only bytes are sent");
    const { message } = fromBinary(TerminalInputSchema, data);
    this.sent.push([message.case, message.case === "stdin" ? message.value.length : message.value]);
  }

  close(code?: number): void {
    this.closed = code;
  }
}

function open() {
  const socket = new StandInSocket();
  const waiting: (() => void)[] = [];
  const ends: (readonly [TerminalEnded | undefined, boolean])[] = [];
  const connection = new TerminalConnection(socket, {
    started: () => undefined,
    output: (_bytes, taken) => void waiting.push(taken),
    ended: (ended, hadOpened) => void ends.push([ended, hadOpened]),
  });
  return { socket, waiting, ends, connection };
}

test("input waits until it is granted, and goes in pieces of at most 16 KiB", () => {
  const { socket, connection } = open();
  socket.open();
  connection.type(new Uint8Array(50_000));
  expect(socket.sent).toEqual([["credit", 65_536]]);
  socket.receive({ case: "credit", value: 20_000 });
  socket.receive({ case: "credit", value: 32_768 });
  expect(socket.sent.slice(1)).toEqual([
    ["stdin", 16_384],
    ["stdin", 3_616],
    ["stdin", 16_384],
    ["stdin", 13_616],
  ]);
});

test("output is granted again when it is on the screen, in pieces", () => {
  const { socket, waiting } = open();
  socket.open();
  for (let at = 0; at < 3; at++) socket.receive({ case: "stdout", value: new Uint8Array(10_000) });
  expect(socket.sent).toHaveLength(1);
  for (const taken of waiting) taken();
  expect(socket.sent.slice(1)).toEqual([["credit", 20_000]]);
});

test("the end is reported once, with the server's reason; one that was closed here reports none", () => {
  const first = open();
  first.socket.open();
  first.socket.receive({ case: "ended", value: { end: TerminalEnd.EXITED, exitCode: 7 } });
  expect(first.ends).toEqual([]);
  first.socket.end();
  first.socket.end();
  expect(first.ends).toMatchObject([[{ end: TerminalEnd.EXITED, exitCode: 7 }, true]]);
  const broken = open();
  broken.socket.end();
  expect(broken.ends).toEqual([[undefined, false]]);
  const left = open();
  left.socket.open();
  left.connection.close();
  left.socket.end();
  expect([left.socket.closed, left.ends]).toEqual([1000, []]);
});
