import type { SummarizeEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Message } from "./fixture-message.ts";

/** What a page is sent with: of a stream's beginning all but its resources. */
export function summaryOf(messages: readonly Message[]): MessageInitShape<typeof SummarizeEnvironmentResponseSchema> {
  const summary: MessageInitShape<typeof SummarizeEnvironmentResponseSchema> = { sentAt: timestampFromMs(Date.now()) };
  for (const { case: name, value } of messages) {
    if (name === "header") summary.header = value;
    else if (name === "problem") summary.problem = value;
    else if (name === "snapshot") Object.assign(summary, { connection: value.connection, health: value.health, empty: value.empty });
  }
  return summary;
}
