import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ConnectionState, HealthStatus, WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { freshnessOf } from "@binnacle/presentation/view/freshness";
import { ConnectionPill, HealthPill } from "./pills.tsx";

const T0 = Date.UTC(2026, 0, 2, 12, 3, 11);

test("the pill of health says that it is held and of when; the pill of the connection says how that is now", () => {
  const store = new EnvironmentStore((flush) => flush());
  const apply = (message: MessageInitShape<typeof WatchEnvironmentResponseSchema>["message"]): void =>
    void store.apply(create(WatchEnvironmentResponseSchema, { ...(message && { message }) }), T0);
  const pills = (): string => {
    const freshness = freshnessOf(store.view(), T0);
    return renderToStaticMarkup(
      <StoreProvider store={store}>
        <HealthPill freshness={freshness} />
        <ConnectionPill freshness={freshness} />
      </StoreProvider>,
    ).replaceAll(/<\/?time[^>]*>/g, "");
  };
  const health = { status: HealthStatus.HEALTHY, counts: [{ status: HealthStatus.HEALTHY, count: 2 }] };
  apply({ case: "snapshot", value: { connection: { state: ConnectionState.CONNECTED }, health, complete: true } });
  expect(pills()).not.toContain("held");
  store.pause({ sinceMs: T0, asOfMs: T0 });
  expect(pills()).toMatch(/paused, as of 2026-01-02 12:03:11 UTC.*Connected/);
  apply({ case: "connection", value: { state: ConnectionState.AGENT_OFFLINE } });
  expect(pills()).toMatch(/paused, as of 2026-01-02 12:03:11 UTC.*Offline/);
});
