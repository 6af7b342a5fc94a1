import type { ChangePiece } from "./change-pieces.ts";
import { ChangeError, ENTRY_BYTES, JoinedChange, type ChangeBounds } from "./joined-change.ts";
import { LiveTable } from "./live-table.ts";

/**
 * A table of another process, from the snapshot and the changes in which it travels. Pieces of a change are applied together, when the last
 * one has been received.
 */
export class Replica {
  /** What was received, for readers here. */
  readonly table = new LiveTable();
  readonly #pieces: JoinedChange;
  #hasStarted = false;
  #isEmpty = true;

  /** @param bounds of a change whose pieces are still being received */
  constructor(bounds: ChangeBounds = {}) {
    this.#pieces = new JoinedChange(bounds);
  }

  /** Nothing was received completely yet, not even an empty snapshot. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Of the table and of pieces that are not applied yet, with what entries cost beside. */
  get bytes(): number {
    return this.table.bytes + this.table.size * ENTRY_BYTES + this.#pieces.bytes;
  }

  /**
   * Takes a piece of a change in.
   *
   * @returns whether it was the last one: the change is applied, and readers are to be notified with `table.announce`
   * @throws ChangeError
   */
  receive(piece: ChangePiece): boolean {
    if (!piece.reset && !this.#hasStarted) throw new ChangeError("rules", "a change before the first snapshot");
    this.#hasStarted = true;
    const change = this.#pieces.add(piece);
    if (change === undefined) return false;
    this.table.apply(change);
    this.#isEmpty = false;
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
}
