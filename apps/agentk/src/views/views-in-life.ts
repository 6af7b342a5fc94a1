import type { ViewSpec } from "@binnacle/proto/kas-views";

import type { AgentLife } from "../life/agent-life.ts";

/** Asked for each drawer that somebody opens: a question, and no view that is kept. */
const QUESTION = "changes";

/** Notes which kinds of views the agent keeps: the first that begins and the last that ends, never how many, of what or for whom. */
export class ViewsInLife {
  readonly #life: Pick<AgentLife, "note">;
  readonly #open = new Map<string, number>();

  constructor(life: Pick<AgentLife, "note">) {
    this.#life = life;
  }

  /** A view has begun. @returns says that it has ended; to be called once */
  begun(view: ViewSpec["view"]["case"]): () => void {
    if (view === undefined || view === QUESTION) return () => {};
    if (this.#count(view, 1) === 1) this.#life.note({ what: "views-begun", view });
    return () => {
      if (this.#count(view, -1) === 0) this.#life.note({ what: "views-ended", view });
    };
  }

  #count(view: string, more: 1 | -1): number {
    const count = (this.#open.get(view) ?? 0) + more;
    this.#open.set(view, count);
    return count;
  }
}
