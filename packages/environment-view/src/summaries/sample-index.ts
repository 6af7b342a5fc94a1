import { inWords, type InWords } from "../stream/in-words.ts";
import type { ViewConnection } from "../stream/view-model.ts";
import type { ViewScope } from "../scope/view-scope.ts";
import { scopeKeyOf, type Summary, type SummaryFacts, type SummarySource, type SummarySubscription } from "./summary-source.ts";

/** What a page that shows the index would have. */
export class SampleIndex {
  readonly rows = new Map<string, InWords<Summary>>();
  readonly subscription: SummarySubscription;
  connection: ViewConnection | undefined;
  messages = 0;

  constructor(source: SummarySource, scopes: readonly ViewScope[], visible: readonly ViewScope[] = []) {
    this.subscription = source.open({ scopes, visible }, () => this.#take());
  }

  #take(): void {
    const change = this.subscription.take();
    if (!change) return;
    this.messages += 1;
    for (const summary of change.summaries) this.rows.set(scopeKeyOf(summary.scope), inWords(summary));
    this.connection = change.connection ?? this.connection;
    for (const { asOfMs, scopes } of change.seen) {
      for (const scope of scopes) {
        const row = this.rows.get(scopeKeyOf(scope));
        if (row?.known) this.rows.set(scopeKeyOf(scope), { ...row, known: { ...row.known, asOfMs } });
      }
    }
  }

  of(namespace: string): InWords<Summary> | undefined {
    return this.rows.get(scopeKeyOf({ namespaces: [namespace] }));
  }

  known(): InWords<SummaryFacts>[] {
    return [...this.rows.values()].flatMap(({ known }) => known ?? []);
  }
}
