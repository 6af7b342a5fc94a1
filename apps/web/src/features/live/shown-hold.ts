/** A picture that somebody holds to read it. Milliseconds since the epoch, by the server's clock. */
export interface ViewHold {
  readonly sinceMs: number;
  /** When what is held was last known to be so: then, or earlier where nobody vouched for it any more. */
  readonly asOfMs: number;
}

/** A hold as the page is told of it. */
export interface ShownHold extends ViewHold {
  /** How many resources have changed meanwhile. */
  readonly waiting: number;
}
