import { createLogger, type Logger } from "@binnacle/telemetry";

/** A logger that keeps what is logged. */
export class LogLines {
  readonly #lines: { readonly fields: unknown; readonly message: string }[] = [];
  readonly log: Logger;

  constructor() {
    const log = createLogger("test", "silent");
    const keep = (fields: unknown, message: string): void => void this.#lines.push({ fields, message });
    // Every level takes fields and a sentence here; the other forms pino knows are not used in this repository.
    this.log = Object.assign(Object.create(log), { debug: keep, info: keep, warn: keep, error: keep }) as Logger;
  }

  /** Fields of the lines with this sentence, oldest first. */
  of(message: string): unknown[] {
    return this.#lines.filter((line) => line.message === message).map((line) => line.fields);
  }
}
