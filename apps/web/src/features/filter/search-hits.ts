/** What a search has found, and the ways through it. */
export interface SearchHits {
  readonly total: number;
  /** Which one one is at, from 1; 0 for none yet. */
  readonly at: number;
  /** To the next one or the one before; round at the ends. */
  readonly step: (by: 1 | -1) => void;
  /** The focus goes to the one that one is at. */
  readonly leave: () => void;
}
