/** Uncaught errors since its creation, which would end kas. */
export class ProcessErrors {
  readonly seen: unknown[] = [];
  readonly #note = (error: unknown): void => void this.seen.push(error);

  constructor() {
    process.on("uncaughtException", this.#note);
    process.on("unhandledRejection", this.#note);
  }

  stop(): void {
    process.off("uncaughtException", this.#note);
    process.off("unhandledRejection", this.#note);
  }
}
