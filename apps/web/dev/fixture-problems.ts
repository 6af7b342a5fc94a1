import { create } from "@bufbuild/protobuf";
import { ProblemKind, ProblemSchema, type Problem } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";

const PROJECT = "harbor/storefront";
const LINK = "https://main.example.com/help/agent/troubleshooting";
/** Why there is nothing in the environment "empty". */
export const EMPTY = create(ProblemSchema, {
  words: toWordsMessage(words("problem/no-resources", { product: "Binnacle", address: LINK })),
  details: toWordsMessage(words("problem/no-resources/namespace", { namespace: "shop-qa" })),
  link: LINK,
});

/** Why environments cannot be shown, by name. */
export const PROBLEMS: Readonly<Record<string, Problem>> = {
  "payments-vault": create(ProblemSchema, {
    kind: ProblemKind.AGENT_FORBIDDEN,
    words: toWordsMessage(words("problem/agent-forbidden", { address: LINK })),
    details: toWordsMessage(
      words("problem/agent-forbidden/details", { agent: "vault-eu", configuration: "harbor/agents", project: PROJECT, user: "mara" }),
    ),
    link: LINK,
  }),
  docs: create(ProblemSchema, { kind: ProblemKind.NO_AGENT, words: toWordsMessage(words("problem/no-agent")) }),
  nowhere: create(ProblemSchema, {
    kind: ProblemKind.NOT_FOUND,
    words: toWordsMessage(words("problem/no-environment", { environment: "nowhere", project: PROJECT })),
  }),
};
