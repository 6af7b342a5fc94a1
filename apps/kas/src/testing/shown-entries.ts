import { JoinedChange } from "@binnacle/replica";
import type { ViewUpdate } from "@binnacle/proto/kas-views";

/** What a page shows of a view: changes that are whole, values as text. */
export class ShownEntries {
  shown: Readonly<Record<string, string>> = {};
  readonly #change = new JoinedChange();

  take(update: ViewUpdate): void {
    const whole = this.#change.add(update);
    if (whole === undefined) return;
    const next: Record<string, string> = whole.reset ? {} : { ...this.shown };
    for (const key of whole.removed) delete next[key];
    for (const { key, value } of whole.entries) next[key] = Buffer.from(value).toString();
    this.shown = next;
  }
}
