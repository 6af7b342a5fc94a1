import type { Delta, Header, Problem, Snapshot } from "@binnacle/proto/dashboard";

/** What a stream says. */
export type Message =
  | { readonly case: "header"; readonly value: Header }
  | { readonly case: "snapshot"; readonly value: Snapshot }
  | { readonly case: "delta"; readonly value: Delta }
  | { readonly case: "problem"; readonly value: Problem };
