/** The language of the page (`packages/presentation`), by the name that every part of the page imports it. */
export * from "@binnacle/presentation/text/messages";
