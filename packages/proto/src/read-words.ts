import type { FactValue, Words } from "@binnacle/words";

import type { Fact, Words as WordsMessage } from "../gen/dashboard/v1/dashboard_pb.ts";

/** A message of packages/words, as it was received. Needs no protobuf runtime. */
export function fromWordsMessage({ id, facts }: WordsMessage): Words {
  return { id, facts: Object.fromEntries(facts.map((fact) => [fact.name, fromFact(fact)])) };
}

/** Nothing that is known fills the place: a newer server may fill it with something else. */
function fromFact({ value }: Fact): FactValue {
  if (value.case === "words") return fromWordsMessage(value.value);
  if (value.case === "list") return value.value.items.map(fromFact);
  return value.value ?? "";
}
