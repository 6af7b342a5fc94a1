import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";

import { LogSourceSchema, LogSourceState } from "@binnacle/proto/dashboard-logs";
import { LogsFrameSchema, type LogsQuery } from "@binnacle/proto/kas-logs";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";

type Frame = NonNullable<MessageInitShape<typeof LogsFrameSchema>["frame"]>;

const PLACE = { namespace: "prod", pod: "web-0", container: "web", containerId: "run" };
const LINES_PER_MESSAGE = 20;

/** A stand-in for an agent's logs: one container whose lines are numbered, from the position of the request on, as fast as they are taken. */
export class NumberedLog {
  /** Bytes that it has written, of all requests. */
  writtenBytes = 0;
  /** Lines before which each request began. */
  readonly begun: number[] = [];
  /** Requests that are being answered. */
  open = 0;
  /** Port of the connection that the last request came on, at its other end. */
  readerPort: number | undefined;
  readonly #lines: number;
  readonly #fill: string;

  /** @param lines after these nothing more comes: a request that follows stays open @param lineBytes about as much as a line has */
  constructor(lines: number, lineBytes = 20) {
    this.#lines = lines;
    this.#fill = "x".repeat(lineBytes);
  }

  /** Answers a request to kas. */
  readonly answer = (query: LogsQuery, response: ServerResponse): void => void this.#answer(query, response);

  async #answer(query: LogsQuery, response: ServerResponse): Promise<void> {
    let at = Number(query.positions[0]?.time?.seconds ?? 0n);
    this.begun.push(at);
    this.open += 1;
    this.readerPort = response.socket?.remotePort;
    const closed = once(response, "close").then(() => (this.open -= 1));
    response.writeHead(200, { "content-type": "application/vnd.binnacle.logs+proto" });
    const source = create(LogSourceSchema, { ...PLACE, id: this.begun.length, state: LogSourceState.READING });
    this.#write(response, { case: "response", value: { message: { case: "sources", value: { sources: [source], isReadByAgent: true } } } });
    while (at < this.#lines && !response.closed) {
      const numbers = Array.from({ length: Math.min(LINES_PER_MESSAGE, this.#lines - at) }, (_, index) => at + index + 1);
      at += numbers.length;
      const lines = numbers.map((number) => ({
        source: source.id,
        timeNanos: BigInt(number) * 1_000_000_000n,
        text: `line ${number} ${this.#fill}`,
      }));
      const positions = [{ ...PLACE, time: { seconds: BigInt(at) }, linesAtTime: 1 }];
      const isTaken = this.#write(response, { case: "response", value: { message: { case: "lines", value: { lines, positions } } } });
      // oxlint-disable-next-line no-await-in-loop -- as fast as it is taken
      await (isTaken ? setImmediate() : Promise.race([once(response, "drain"), closed]));
    }
    if (query.follow || response.closed) return;
    this.#write(response, { case: "end", value: {} });
    response.end();
  }

  /** @returns whether more may be written at once */
  #write(response: ServerResponse, frame: Frame): boolean {
    const message = toBinary(LogsFrameSchema, create(LogsFrameSchema, { frame }));
    const framed = Buffer.alloc(4 + message.length);
    framed.writeUInt32BE(message.length);
    framed.set(message, 4);
    this.writtenBytes += framed.length;
    return response.write(framed);
  }
}
