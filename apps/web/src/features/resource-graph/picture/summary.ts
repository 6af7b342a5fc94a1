import { sayLater } from "../../../ui/said.ts";
import { STATUS } from "../layout/graph-input.ts";
import type { Picture } from "./picture.ts";

/** What is in the picture, in one line: the name of the graph for readers. */
export function summaryOf(picture: Picture): string {
  let problems = 0;
  for (const { card } of picture.cards.values()) {
    if (card.type !== "fold") problems += card.status >= STATUS.missing ? 1 : 0;
    else for (const [status, count] of card.counts) if (status >= STATUS.missing) problems += count;
  }
  return sayLater("resource-graph/graph-resources-with", { total: picture.total, problems, hidden: picture.hidden || undefined });
}
