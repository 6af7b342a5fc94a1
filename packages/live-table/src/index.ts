export { LiveTable, type TableChange, type TableEntry, type TableReader } from "./live-table.ts";
export { VersionedMap, type ChangesSince } from "./versioned-map.ts";
