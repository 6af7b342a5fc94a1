import type { TextStorage } from "../viewer-storage/viewer-list.ts";

/** Which pod of which environment. */
export interface TerminalPlace {
  readonly projectPath: string;
  readonly environment: string;
  readonly namespace: string;
  readonly pod: string;
}

/**
 * The note of a tab that a terminal runs in it. It is there after a reload, which no code of the page follows, so that the page can say that
 * the shell has ended. A browser without storage has no such notes.
 */
export class RunningMark {
  readonly #storage: () => TextStorage;
  readonly #key: string;

  /** @param storage of the tab; it may throw, where the browser denies it */
  constructor({ projectPath, environment, namespace, pod }: TerminalPlace, storage: () => TextStorage = () => sessionStorage) {
    this.#storage = storage;
    this.#key = `binnacle:terminal:${[projectPath, environment, namespace, pod].join(" ")}`;
  }

  get isSet(): boolean {
    try {
      return this.#storage().getItem(this.#key) !== null;
    } catch {
      return false;
    }
  }

  set(isRunning: boolean): void {
    try {
      if (isRunning) this.#storage().setItem(this.#key, "running");
      else this.#storage().removeItem(this.#key);
    } catch {
      // Then a reload is not noticed.
    }
  }
}
