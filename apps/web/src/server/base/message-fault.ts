import { Fault, type FaultReason } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";

/** An expected failure that people read on a page, in their language. Its message is the English text, for logs and API users. */
export class MessageFault extends Fault {
  readonly words: Words;

  constructor(reason: FaultReason, text: Words, options: { cause?: unknown } = {}) {
    super(reason, renderEnglish(text), options);
    this.words = text;
  }
}

/** What a failure says to people. */
export function wordsOfFault(fault: Fault): Words {
  return fault instanceof MessageFault ? fault.words : words("problem/unknown");
}
