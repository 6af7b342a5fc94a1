import { create } from "@bufbuild/protobuf";
import { ConnectionState, HealthStatus, WatchEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { StoreProvider } from "../live/environment-context.tsx";
import { EnvironmentStore } from "../live/environment-store.ts";
import { freshnessOf } from "@binnacle/presentation/view/freshness";
import { EnvironmentHeader } from "./environment-header.tsx";
import { LAZY_TOOLS } from "./lazy-views.ts";

const T0 = Date.UTC(2026, 0, 2, 12, 3, 11);

test("the line of facts, which a phone scrolls, is a tab stop until it has buttons", async () => {
  const store = new EnvironmentStore((flush) => flush());
  const value = { connection: { state: ConnectionState.CONNECTED }, health: { status: HealthStatus.HEALTHY }, complete: true };
  store.apply(create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value } }), T0);
  const header = (): string =>
    renderToStaticMarkup(
      <StoreProvider store={store}>
        <EnvironmentHeader projectPath="harbor/storefront" name="production" freshness={freshnessOf(store.view(), T0)} />
      </StoreProvider>,
    );
  expect(header()).toContain('tabindex="0"');
  await LAZY_TOOLS.fetch();
  expect(header()).not.toContain('tabindex="0"');
});
