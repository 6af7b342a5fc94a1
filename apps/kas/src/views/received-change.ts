import type { ViewUpdate } from "@binnacle/proto/kas-views";
import { ChangeTooLargeError, JoinedChange, type TableChange } from "@binnacle/replica";

import { VIEW_BOUNDS } from "./view-bounds.ts";

/** Why a change cannot be taken. */
export class ChangeProblem extends Error {
  /** `rules`: no honest agent sends this; `size`: there is more than is kept here. */
  readonly kind: "rules" | "size";

  constructor(kind: "rules" | "size", message: string) {
    super(message);
    this.name = "ChangeProblem";
    this.kind = kind;
  }
}

/** What an agent says of one view, joined into changes that are whole. */
export class ReceivedChange {
  readonly #joined = new JoinedChange({ bytes: VIEW_BOUNDS.topicBytes, entries: VIEW_BOUNDS.entries });

  /** What the pieces hold. */
  get bytes(): number {
    return this.#joined.bytes;
  }

  /**
   * @returns the change when this was its last piece
   * @throws ChangeProblem
   */
  add(update: ViewUpdate): TableChange | undefined {
    for (const key of update.removed) checkKey(key);
    for (const { key } of update.entries) checkKey(key);
    try {
      return this.#joined.add(update);
    } catch (error) {
      if (!(error instanceof ChangeTooLargeError)) throw error;
      throw new ChangeProblem("size", error.message);
    }
  }

  /** The pieces so far are worth nothing. */
  clear(): void {
    this.#joined.clear();
  }
}

function checkKey(key: string): void {
  if (key === "" || key.length > VIEW_BOUNDS.keyBytes) throw new ChangeProblem("rules", `a key of ${key.length} characters`);
}
