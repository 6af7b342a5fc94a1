export { LiveTable, type TableChange, type TableReader } from "./live-table.ts";
export { VersionedMap, type ChangesSince } from "./versioned-map.ts";
