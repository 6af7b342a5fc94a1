import { ChangeKind, DeploymentSchema, GetResourceResponseSchema, ResourceEventSchema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { EventsTab } from "./events-tab.tsx";

const NOON = timestampFromMs(Date.parse("2026-01-01T12:00:00Z"));

function tab(answer: MessageInitShape<typeof GetResourceResponseSchema>): string {
  const resource = { answer: create(GetResourceResponseSchema, answer), loading: false };
  return renderToStaticMarkup(
    <StoreProvider store={new EnvironmentStore((flush) => flush())}>
      <EventsTab resource={resource} kept={false} />
    </StoreProvider>,
  );
}

test("W9: changes stand among the Events, with who made them and what was and is", () => {
  const fields = [
    { path: "spec.replicas", before: "1", after: "3" },
    { path: "spec.paused", after: "true" },
    { path: "spec.args", hidden: true },
  ];
  const change = {
    kind: ChangeKind.CHANGED,
    at: NOON,
    manager: "kubectl-edit",
    subresource: "scale",
    fields,
    moreFields: 2,
    count: 3,
    afterGap: true,
  };
  const html = tab({ changes: [change], changesSince: NOON, events: [{ reason: "Scaled", lastAt: NOON }] });
  expect(html).toMatch(/Scaled.*Changed.*by kubectl-edit \(scale\), 3 times, seen after a gap/);
  expect(html).toMatch(/spec.replicas<\/code> 1 → 3.*spec.paused<\/code> not set → true.*spec.args<\/code> changed, not shown.*and 2 more/);
  expect(html).toContain("With changes since");
});

test("a change from a page is shown with its viewer, whose user name stands beside the display name", () => {
  const change = { kind: ChangeKind.CHANGED, at: NOON, manager: "binnacle", subresource: "scale", count: 1 };
  expect(tab({ changes: [change], changesSince: NOON })).toMatch(/<span class="muted">from Binnacle \(scale\)<\/span>/);
  const by = { name: `<b>\u202EAda${"a".repeat(300)}`, username: "eve" };
  const html = tab({ changes: [{ ...change, by: { ...by, others: 2 } }], changesSince: NOON });
  expect(html).toMatch(
    /from Binnacle \(scale\), by <span translate="no"><bdi>&lt;b&gt;\uFFFDAda[^<]{0,60}…<\/bdi> <bdi>\(@eve\)<\/bdi><\/span>, the same to 2 others</,
  );
  const deleted = { kind: ChangeKind.DELETED, at: NOON, count: 1, by: { ...by, name: "Ada" } };
  expect(tab({ changes: [deleted], changesSince: NOON })).toMatch(/Deleted.*from Binnacle, by .*Ada<\/bdi>/);
});

test("what was deployed stands among them, with its commit and by whom", () => {
  const deployment = {
    sha: "abcdef1234567890",
    title: "Scale web",
    author: "Ann",
    ref: "main",
    commitUrl: "https://git.example.com/c/1",
    at: NOON,
  };
  const later = timestampFromMs(Date.parse("2026-01-01T12:00:01Z"));
  const html = tab({
    deployments: [create(DeploymentSchema, deployment)],
    events: [create(ResourceEventSchema, { reason: "Scaled", lastAt: later })],
  });
  expect(html).toMatch(/Scaled.*Deployed.*href="https:\/\/git.example.com\/c\/1".*abcdef12.*main, by Ann.*Scale web/);
});

test("an empty list states since when it is empty, and that some events have expired", () => {
  expect(tab({ changesSince: NOON })).toMatch(/No events\..*No change of its fields since/);
  expect(tab({ changesSince: NOON, changesCut: true })).toContain("earlier ones were left out");
});

test("without a journal no changes are shown", () => {
  expect(tab({})).not.toContain("hanges");
});
