import { isWords, type FactValue, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { FactSchema, WordsSchema, type Fact, type Words as WordsMessage } from "../gen/dashboard/v1/dashboard_pb.ts";

/** A message of packages/words, as it is sent. NaN leaves its placeholder empty. */
export function toWordsMessage({ id, facts }: Words): WordsMessage {
  const sent = Object.entries(facts).flatMap(([name, fact]) => (isSendable(fact) ? [toFact(name, fact)] : []));
  return create(WordsSchema, { id, facts: sent });
}

function toFact(name: string, fact: FactValue): Fact {
  if (typeof fact === "string") return create(FactSchema, { name, value: { case: "text", value: fact } });
  if (typeof fact === "number") return create(FactSchema, { name, value: { case: "number", value: fact } });
  if (isWords(fact)) return create(FactSchema, { name, value: { case: "words", value: toWordsMessage(fact) } });
  return create(FactSchema, { name, value: { case: "list", value: { items: fact.filter(isSendable).map((each) => toFact("", each)) } } });
}

function isSendable(fact: FactValue | undefined): fact is FactValue {
  return fact !== undefined && (typeof fact !== "number" || Number.isFinite(fact));
}
