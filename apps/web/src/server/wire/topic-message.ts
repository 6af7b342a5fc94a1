import { WatchResponseSchema, type WatchResponse } from "@binnacle/proto/dashboard";
import { create, toBinary, type DescMessage, type MessageShape } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** What a topic has to tell, of whatever kind it is. */
export type TopicAnswer = WatchResponse["message"];

/** A message that the contract has no room for: the topic that has made it cannot send it. */
export class UnsendableMessageError extends Error {}

/**
 * A message of one topic of a stream, encoded here, where it can fail that topic alone.
 *
 * @param isBinary the caller takes messages in binary form; others read the fields of the message
 * @throws UnsendableMessageError
 */
export function topicMessage(topic: number, answer: TopicAnswer, isBinary: boolean): WatchResponse {
  const field = WatchResponseSchema.fields.find(({ localName }) => localName === answer.case);
  if (answer.value === undefined || field?.message === undefined) return create(WatchResponseSchema, { topic });
  const bytes = encoded(field.message, answer.value);
  if (!isBinary) return create(WatchResponseSchema, { topic, message: answer });
  // What a reader of messages does not know it keeps, and writes as it is.
  const data = new BinaryWriter().bytes(bytes).finish();
  const message = create(WatchResponseSchema, { topic });
  message.$unknown = [{ no: field.number, wireType: WireType.LengthDelimited, data }];
  return message;
}

function encoded(schema: DescMessage, message: MessageShape<DescMessage>): Uint8Array {
  try {
    return toBinary(schema, message);
  } catch (cause) {
    throw new UnsendableMessageError(cause instanceof Error ? cause.message : "unknown", { cause });
  }
}
