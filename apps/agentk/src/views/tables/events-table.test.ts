import { fromBinary } from "@bufbuild/protobuf";
import type { EventsTable } from "@binnacle/environment-view";
import { PublishedTable } from "@binnacle/replica";
import { AgentMomentSchema } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { expect, test } from "vitest";

import { AgentEvents, type AgentEvent } from "../../agent-events/agent-events.ts";
import { openEventsTable, isWarning, lifeWords } from "./events-table.ts";

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const bytes = (text: string): Uint8Array => Buffer.from(text);

/** A scope whose events the test puts into a table. */
function opened() {
  const agentEvents = new AgentEvents({ now: () => 1_000, after: () => () => {} });
  const events = new PublishedTable();
  let closed = 0;
  const scope = { openEvents: (): EventsTable => ({ id: "1", table: events, close: () => (closed += 1) }) };
  const made = openEventsTable(scope, agentEvents);
  const keys = (): string[] =>
    made.table
      .entries()
      .map(({ key }) => key)
      .toSorted();
  return { agentEvents, events, made, keys, closed: () => closed };
}

test("events of the scope stand beside what has happened to the agent before and happens now", async () => {
  const { agentEvents, events, made, keys, closed } = opened();
  agentEvents.record({ what: "connected" });
  events.put("e/1", bytes("one"));
  events.announce();
  await settled();
  expect(keys()).toEqual(["e/1", "life/1"]);
  agentEvents.record({ what: "connection-lost" });
  events.put("e/2", bytes("two"));
  events.remove("e/1");
  events.announce();
  await settled();
  expect(keys()).toEqual(["e/2", "life/1", "life/2"]);
  made.close();
  agentEvents.record({ what: "connected" });
  expect([keys().length, closed()]).toEqual([3, 1]);
});

test("no more events of the agent are sent than are retained", async () => {
  const { agentEvents, keys } = opened();
  await settled();
  for (let index = 0; index < 130; index += 1) agentEvents.record({ what: "connected" });
  expect(keys().filter((key) => key.startsWith("life/"))).toHaveLength(100);
  expect(keys()).not.toContain("life/30");
});

test("a reader receives only the new event, not all of them", async () => {
  const { agentEvents, events, made } = opened();
  events.put("e/1", bytes("one"));
  events.announce();
  await settled();
  const reader = made.table.open(() => {});
  reader.take();
  agentEvents.record({ what: "configuration-applied", commit: "4f2c91e" });
  const change = reader.take();
  expect(change).toMatchObject({ reset: false, removed: [], entries: [{ key: "life/1" }] });
  const moment = fromBinary(AgentMomentSchema, change?.entries[0]?.value ?? new Uint8Array());
  expect([moment.warning, renderEnglish(moment.words && fromWordsMessage(moment.words))]).toEqual([
    false,
    "Configuration applied, commit 4f2c91e",
  ]);
});

test.each<[AgentEvent, string, boolean]>([
  [{ what: "connected" }, "Connected to kas (agent server)", false],
  [{ what: "connection-lost" }, "The connection to kas (agent server) was lost", true],
  [{ what: "connection-replaced" }, "kas (agent server) requested a new connection", false],
  [{ what: "configuration-given" }, "kas (agent server) sends configuration again", false],
  [{ what: "configuration-applied", commit: "" }, "Configuration applied", false],
  [{ what: "configuration-refused", code: 16 }, "No configuration: kas (agent server) does not know the token", true],
  [{ what: "configuration-refused", code: 99 }, "No configuration: kas (agent server) failed", true],
])("%j has a sentence", (moment, sentence, warning) => {
  expect([renderEnglish(lifeWords(moment)), isWarning(moment)]).toEqual([sentence, warning]);
});
