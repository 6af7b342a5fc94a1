import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ReadLogsResponseSchema, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { Fault } from "@binnacle/rpc";

/** kas takes 128 KiB. */
const MOST_BYTES = 120 * 1024;

/** A response in one message, or in several of the same meaning when it is too large for kas. @throws Fault `message_too_large` */
export function* messagesOf(response: ReadLogsResponse): Generator<Uint8Array, void, void> {
  const bytes = toBinary(ReadLogsResponseSchema, response);
  if (bytes.byteLength <= MOST_BYTES) yield bytes;
  else for (const message of halvesOf(response)) yield* messagesOf(create(ReadLogsResponseSchema, { message }));
}

type Message = NonNullable<MessageInitShape<typeof ReadLogsResponseSchema>["message"]>;

function halvesOf({ message }: ReadLogsResponse): readonly Message[] {
  switch (message.case) {
    case "sources": {
      const { sources, ...rest } = message.value;
      return halved(sources).map((half) => ({ case: "sources", value: { ...rest, sources: half } }));
    }
    case "lines": {
      const { lines, positions } = message.value;
      // Positions are behind all lines.
      if (lines.length === 0) return halved(positions).map((half) => ({ case: "lines", value: { positions: half } }));
      if (positions.length > 0)
        return [
          { case: "lines", value: { lines } },
          { case: "lines", value: { positions } },
        ];
      return halved(lines).map((half) => ({ case: "lines", value: { lines: half } }));
    }
    case "progress":
      return halved(message.value.progresses).map((half) => ({ case: "progress", value: { progresses: half } }));
    default:
      throw tooLarge();
  }
}

function halved<T>(items: readonly T[]): readonly T[][] {
  if (items.length < 2) throw tooLarge();
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)];
}

function tooLarge(): Fault {
  return new Fault("message_too_large", `one line or container of logs takes more than ${MOST_BYTES} bytes`);
}
