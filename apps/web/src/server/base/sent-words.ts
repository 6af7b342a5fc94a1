import { boundedWords } from "@binnacle/health";
import type { Words as WordsMessage } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import type { Words } from "@binnacle/words";

/** Much more than a server has to say of a request. */
const QUOTING = { max: 500, oneLine: false } as const;

/** A message for the wire: its values are bounded and hold no credential, whatever their source. */
export function toSentWords(text: Words): WordsMessage {
  return toWordsMessage(boundedWords(text, QUOTING));
}
