import type { Header } from "@binnacle/proto/dashboard";

/** What a page has of the project's own file. */
export interface FileFacts {
  /** What is to be known of it. */
  readonly notices?: Header["notices"] | undefined;
  /** Links that it gives. */
  readonly links?: Header["views"] | undefined;
}
