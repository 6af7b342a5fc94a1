/** Words of statuses (`packages/presentation`), by the name that every part of the page imports them. */
export * from "@binnacle/presentation/health/health-status";
