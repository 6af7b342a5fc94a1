import { expect, test } from "vitest";

import { ENGLISH_SOURCE } from "./en/index.ts";

/** Ids that are made of other ids: the title and the next step of an issue. */
const OF_OTHER_IDS = /^title\/|\/next$/;

/** Texts with several ids: another language may need another text for each. */
const SEVERAL_MEANINGS: ReadonlySet<string> = new Set([
  // A label, and a state or an entity of another area.
  "Failed",
  "Metrics",
  "None",
  "Overview",
  "Paused",
  "Ready",
  "Resources",
  "Revision",
  "Suspended",
  "Views",
  "Warning",
  "Yours",
  "Error",
  "not known",
  "ready",
  "suspended",
  "{count} of {total}",
  // An action on the cluster, and one on the page.
  "Keep",
  "Stop",
  // Into a pod, and out of it.
  "everything{has_ports, select, no {} other {, to {ports}}}",
  "nothing",
  // Parts of ids that are made of a name: what is exported, and what is loaded.
  "events",
  // A verdict, and a fact or a cause.
  "Secret {secret} has no readable certificate",
  "{kind} {name}: {said}",
  // A page compares the id to know that nothing was requested yet.
  "Not known yet",
]);

const messages = Object.entries(ENGLISH_SOURCE);

test("a message is whole: it begins and ends with neither space nor punctuation that joins", () => {
  expect(messages.filter(([, text]) => /^[\s,;:.!?)]|[\s,;(]$/.test(text))).toEqual([]);
});

test("a text has one id, but for those that have several meanings", () => {
  const ids = new Map<string, number>();
  for (const [id, text] of messages) if (!OF_OTHER_IDS.test(id)) ids.set(text, (ids.get(text) ?? 0) + 1);
  const doubled = [...ids].flatMap(([text, count]) => (count > 1 ? [text] : []));
  expect(doubled.toSorted()).toEqual([...SEVERAL_MEANINGS].toSorted());
});
