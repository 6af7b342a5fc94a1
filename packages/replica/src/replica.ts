import { ChangeError, ENTRY_BYTES, JoinedChange, type ChangeBounds, type ReplicaChange } from "./joined-change.ts";
import { PublishedTable } from "./published-table.ts";

/**
 * How much of what is shown is known. `empty`: nothing was received, not even an empty snapshot; `partial`: the sender has not read
 * everything yet, and what there is is shown; `complete`: everything is shown; `pending`: the sender is reading everything again under the
 * same rights, and the last complete content is better than what was received since.
 */
export type ReplicaState = "empty" | "partial" | "complete" | "pending";

/** What a replica is made with. */
export interface ReplicaOptions {
  /** Of a change whose pieces are still being received. */
  readonly bounds?: ChangeBounds;
  /** Whether the sender has read everything, by its table. Default: always. */
  readonly isComplete?: (table: PublishedTable) => boolean;
}

/**
 * The side that reads: a `PublishedTable` of another process, from the snapshot and the changes in which it travels. Pieces of a change are applied together, when the last
 * one has been received. Only other rights replace complete content at once.
 */
export class Replica {
  /** What was received, for readers here. */
  readonly table = new PublishedTable();
  readonly #pieces: JoinedChange;
  #hasStarted = false;
  readonly #isComplete: (table: PublishedTable) => boolean;
  #state: ReplicaState = "empty";
  #rights: string | undefined;

  constructor({ bounds, isComplete = () => true }: ReplicaOptions = {}) {
    this.#pieces = new JoinedChange(bounds);
    this.#isComplete = isComplete;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /** Of the table and of pieces that are not applied yet, with what entries cost beside. */
  get bytes(): number {
    return this.table.bytes + this.table.size * ENTRY_BYTES + this.#pieces.bytes;
  }

  /**
   * Takes in a change, or a piece of one.
   *
   * @returns whether it was the last piece: the change is applied, and readers are to be notified with `table.announce`
   * @throws ChangeError
   */
  receive(piece: ReplicaChange): boolean {
    if (!piece.reset && !this.#hasStarted) throw new ChangeError("rules", "a change before the first snapshot");
    this.#hasStarted = true;
    const change = this.#pieces.add(piece);
    if (change === undefined) return false;
    this.#apply(change);
    return true;
  }

  /** The sender starts over: the next piece must begin a snapshot. The table stays as it is until then. */
  restart(): void {
    this.#hasStarted = false;
    this.discardPieces();
  }

  /** The rest of a change will not be received. */
  discardPieces(): void {
    this.#pieces.clear();
  }

  #apply(change: ReplicaChange): void {
    const areOtherRights = change.reset && change.rights !== this.#rights;
    if (change.reset) this.#rights = change.rights;
    this.table.apply(change);
    const wasComplete = this.#state === "complete" || this.#state === "pending";
    if (this.#isComplete(this.table)) this.#state = "complete";
    else this.#state = wasComplete && !areOtherRights ? "pending" : "partial";
  }
}
