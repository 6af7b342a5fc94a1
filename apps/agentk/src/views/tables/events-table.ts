import { create, toBinary } from "@bufbuild/protobuf";
import type { EnvironmentScope, ViewTable } from "@binnacle/environment-view";
import { PublishedTable } from "@binnacle/replica";
import { AgentMomentSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { words, type Words, type WordsId } from "@binnacle/words";

import type { AgentEvents, RecordedEvent, AgentEvent } from "../../agent-events/agent-events.ts";

const REFUSALS: Readonly<Record<number, WordsId>> = {
  7: "life/refused/not-allowed",
  8: "life/refused/too-often",
  12: "life/refused/not-offered",
  14: "life/refused/away",
  16: "life/refused/not-known",
};

/** Events of a scope with those of the agent itself, until it is closed. docs/design/events.md */
export function openEventsTable(
  scope: Pick<EnvironmentScope, "openEvents">,
  agentEvents: Pick<AgentEvents, "recorded" | "follow">,
): ViewTable {
  const table = new PublishedTable();
  const events = scope.openEvents();
  const reader = events.table.open(() => {
    const change = reader.take();
    if (change === undefined) return;
    table.apply(change.reset ? { ...change, entries: [...change.entries, ...entriesOf(agentEvents.recorded)] } : change);
    table.announce();
  });
  const unfollow = agentEvents.follow(() => {
    const entries = entriesOf(agentEvents.recorded);
    const current = new Set(entries.map(({ key }) => key));
    const removed = table.entries().flatMap(({ key }) => (key.startsWith("life/") && !current.has(key) ? [key] : []));
    table.apply({ reset: false, entries, removed });
    table.announce();
  });
  return {
    table,
    close: () => {
      unfollow();
      reader.close();
      events.close();
    },
  };
}

function entriesOf(recorded: readonly RecordedEvent[]): { key: string; value: Uint8Array }[] {
  return recorded.map(({ number, atMs, event }) => {
    const message = create(AgentMomentSchema, {
      number,
      at: toTimestamp(atMs),
      words: toWordsMessage(lifeWords(event)),
      warning: isWarning(event),
    });
    return { key: `life/${number}`, value: toBinary(AgentMomentSchema, message) };
  });
}

/** The message of an event. */
export function lifeWords(event: AgentEvent): Words {
  switch (event.what) {
    case "configuration-applied":
      return words("life/configuration-applied", { commit: event.commit.slice(0, 64) });
    case "configuration-refused":
      return words("life/configuration-refused", { why: words(REFUSALS[event.code] ?? "life/refused/failed") });
    default:
      return words(`life/${event.what}`);
  }
}

/** Whether a user should notice it. */
export function isWarning({ what }: AgentEvent): boolean {
  return what === "connection-lost" || what === "configuration-refused";
}
