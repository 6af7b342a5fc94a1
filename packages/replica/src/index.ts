export { ChangeError, ENTRY_BYTES, JoinedChange, type ChangeBounds, type ReplicaChange } from "./joined-change.ts";
export { ChangePieces, type ChangePiece, PublishedTable, type TableChange, type TableEntry, type TableReader } from "./published-table.ts";
export { ReaderState } from "./reader-state.ts";
export { Replica, type ReplicaState } from "./replica.ts";
export { VersionedMap, type ChangesSince } from "./versioned-map.ts";
