import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ConnectionState, HealthStatus, ProblemKind, WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { MadeView } from "../live/made-view.ts";
import { HoldBanner, holdWords } from "./hold-banner.tsx";
import { HoldButton } from "./hold-button.tsx";

const T0 = Date.UTC(2026, 0, 2, 12, 3, 11);

function world() {
  const made = new MadeView();
  const store = new EnvironmentStore((flush) => flush());
  const apply = (message: MessageInitShape<typeof WatchEnvironmentResponseSchema>["message"]): void =>
    void store.apply(create(WatchEnvironmentResponseSchema, { ...(message && { message }) }), T0);
  const nodes = made.nodes([{ id: "a" }, { id: "b" }]);
  const health = { status: HealthStatus.HEALTHY, counts: [{ status: HealthStatus.HEALTHY, count: 2 }] };
  apply({ case: "snapshot", value: { nodes, connection: { state: ConnectionState.CONNECTED }, health, complete: true } });
  const change = (count: number): void =>
    apply({ case: "delta", value: { upsertedNodes: made.nodes(Array.from({ length: count }, (_, index) => ({ id: `n${index}` }))) } });
  const html = (page: ReactNode): string =>
    renderToStaticMarkup(<StoreProvider store={store}>{page}</StoreProvider>).replaceAll(/<\/?time[^>]*>/g, "");
  return { store, apply, change, html, hold: () => store.pause({ sinceMs: T0, asOfMs: T0 }) };
}

test("the page says since when it is held and how much waits, live, in the right number", () => {
  const { html, hold, change } = world();
  expect(html(<HoldBanner />)).toBe("");
  hold();
  expect(html(<HoldBanner />)).toContain("Paused since 2026-01-02 12:03:11 UTC: nothing has changed since.");
  change(1);
  expect(html(<HoldBanner />)).toContain("12:03:11 UTC: 1 change waiting.");
  change(14);
  expect(html(<HoldBanner />)).toContain("12:03:11 UTC: 14 changes waiting.");
});

test("updates that go on during a pause are listed on the page", () => {
  const { store, hold } = world();
  hold();
  const view = store.view();
  expect(holdWords(view, { view: "events", sel: "" }, T0)).toContain("Events keep updating");
  expect(holdWords(view, { view: "list", sel: "core/pods/a/b" }, T0)).toContain("Details that you open are read when you open them");
  expect(holdWords(view, { view: "list", sel: "" }, T0)).toMatch(/nothing has changed since\.$/);
});

test("a lost stream and an ended session are shown during a pause", () => {
  const lost = world();
  lost.hold();
  lost.store.lost("gone", T0);
  expect(lost.html(<HoldBanner />)).toContain("The connection is lost, so later changes may not be counted yet");
  const ended = world();
  ended.hold();
  ended.apply({ case: "problem", value: { kind: ProblemKind.UNAUTHENTICATED } });
  expect(ended.html(<HoldBanner />)).toContain("The stream has ended");
});

test("the button says whether the page is held, and is not there while nothing is", () => {
  const { html, hold } = world();
  expect(html(<HoldButton />)).toContain('aria-pressed="false"');
  hold();
  expect(html(<HoldButton />)).toContain('aria-pressed="true"');
  const nothing = new EnvironmentStore((flush) => flush());
  expect(renderToStaticMarkup(<StoreProvider store={nothing}>{<HoldButton />}</StoreProvider>)).toBe("");
});
