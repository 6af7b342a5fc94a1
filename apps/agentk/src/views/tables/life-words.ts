import { words, type Words, type WordsId } from "@binnacle/words";

import type { LifeMoment } from "../../life/agent-life.ts";

const REFUSALS: Readonly<Record<number, WordsId>> = {
  7: "life/refused/not-allowed",
  8: "life/refused/too-often",
  12: "life/refused/not-offered",
  14: "life/refused/away",
  16: "life/refused/not-known",
};

/** What has happened, for people. */
export function lifeWords(moment: LifeMoment): Words {
  switch (moment.what) {
    case "configuration-applied":
      return words("life/configuration-applied", { commit: moment.commit.slice(0, 64) });
    case "configuration-refused":
      return words("life/configuration-refused", { why: words(REFUSALS[moment.code] ?? "life/refused/failed") });
    default:
      return words(`life/${moment.what}`);
  }
}

/** Whether somebody should know of it. */
export function isWarning({ what }: LifeMoment): boolean {
  return what === "connection-lost" || what === "configuration-refused";
}
