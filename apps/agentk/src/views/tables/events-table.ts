import { create, toBinary } from "@bufbuild/protobuf";
import type { EnvironmentScope, ViewTable } from "@binnacle/environment-view";
import { PublishedTable } from "@binnacle/replica";
import { AgentMomentSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { words, type Words, type WordsId } from "@binnacle/words";

import type { AgentLife, NotedMoment, LifeMoment } from "../../life/agent-life.ts";

const REFUSALS: Readonly<Record<number, WordsId>> = {
  7: "life/refused/not-allowed",
  8: "life/refused/too-often",
  12: "life/refused/not-offered",
  14: "life/refused/away",
  16: "life/refused/not-known",
};

/** Events of a scope with the agent's own life beside them, until it is closed. docs/design/events.md */
export function openEventsTable(scope: Pick<EnvironmentScope, "openEvents">, life: Pick<AgentLife, "moments" | "follow">): ViewTable {
  const table = new PublishedTable();
  const events = scope.openEvents();
  const reader = events.table.open(() => {
    const change = reader.take();
    if (change === undefined) return;
    table.apply(change.reset ? { ...change, entries: [...change.entries, ...lifeEntries(life.moments)] } : change);
    table.announce();
  });
  const leaveLife = life.follow(() => {
    const entries = lifeEntries(life.moments);
    const kept = new Set(entries.map(({ key }) => key));
    const removed = table.entries().flatMap(({ key }) => (key.startsWith("life/") && !kept.has(key) ? [key] : []));
    table.apply({ reset: false, entries, removed });
    table.announce();
  });
  return {
    table,
    close: () => {
      leaveLife();
      reader.close();
      events.close();
    },
  };
}

function lifeEntries(moments: readonly NotedMoment[]): { key: string; value: Uint8Array }[] {
  return moments.map(({ number, atMs, moment }) => {
    const message = create(AgentMomentSchema, {
      number,
      at: toTimestamp(atMs),
      words: toWordsMessage(lifeWords(moment)),
      warning: isWarning(moment),
    });
    return { key: `life/${number}`, value: toBinary(AgentMomentSchema, message) };
  });
}

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

/** Whether a user should notice it. */
export function isWarning({ what }: LifeMoment): boolean {
  return what === "connection-lost" || what === "configuration-refused";
}
