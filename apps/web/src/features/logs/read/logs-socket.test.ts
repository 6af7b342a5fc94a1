import { LogsOutputSchema } from "@binnacle/proto/dashboard-logs";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";

import { readLogsSocket } from "./logs-socket.ts";

const EMPTY = toBinary(LogsOutputSchema, create(LogsOutputSchema, { message: { case: "response", value: {} } }));

/** A socket whose server is this test. */
class ManualSocket extends EventTarget {
  binaryType: BinaryType = "blob";
  readonly readyState = 1;
  closed: number | undefined;

  send(): void {}

  close(code?: number): void {
    this.closed = code;
  }

  receive(bytes: Uint8Array): void {
    this.dispatchEvent(new MessageEvent("message", { data: Uint8Array.from(bytes).buffer }));
  }
}

test("bytes that are no message end the log as a broken connection, which is closed and opened again", async () => {
  const socket = new ManualSocket();
  const messages = readLogsSocket(socket, { request: {}, broken: () => "it broke", signal: new AbortController().signal });
  const first = messages.next();
  socket.receive(EMPTY);
  socket.receive(EMPTY);
  expect(await first).toMatchObject({ done: false });
  const next = messages.next();
  socket.receive(Uint8Array.of(0xff, 0xff));
  await expect(next).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: "it broke" });
  expect(socket.closed).toBe(1000);
});
