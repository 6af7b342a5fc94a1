import { SettledState, SourceSchema, StaleCause } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ReactNode } from "react";
import { Banners } from "../../src/features/environment/banners.tsx";
import { HoldBanner } from "../../src/features/hold/hold-banner.tsx";
import { LayoutNote } from "../../src/features/resource-graph/resource-graph.tsx";
import { VersionOffer } from "../../src/features/live/new-version.tsx";
import { SessionEnded } from "../../src/features/session/session-ended.tsx";
import type { EnvironmentStore } from "../../src/features/live/environment-store.ts";
import type { Freshness } from "@binnacle/presentation/view/freshness";
import { EVERY_FRESHNESS } from "./pill-specimens.tsx";
import type { Specimen, SpecimenGroup } from "./specimen.ts";
import { fixtureStore, In, NOW_MS } from "./specimen-store.tsx";

const LIVE: Freshness = { kind: "live", asOfMs: NOW_MS };

function banner(title: string, store: EnvironmentStore, freshness: Freshness = LIVE): Specimen {
  return {
    title,
    body: (
      <In store={store}>
        <Banners freshness={freshness} />
      </In>
    ),
  };
}

function held(store: EnvironmentStore): ReactNode {
  store.pause({ sinceMs: NOW_MS, asOfMs: NOW_MS });
  return (
    <In store={store}>
      <HoldBanner />
    </In>
  );
}

const truncated = create(SourceSchema, { resource: "pods", version: "v1", settled: SettledState.TRUNCATED, shown: 5_000, total: 12_345 });
const failing = create(SourceSchema, {
  resource: "ingresses",
  version: "v1",
  settled: SettledState.ERROR,
  words: toWordsMessage(quoted("etcdserver: request timed out")),
  retryAt: timestampFromMs(NOW_MS + 30_000),
});
const failingSince = create(SourceSchema, {
  ...failing,
  settled: SettledState.LIVE,
  staleCause: StaleCause.ERROR,
  staleWords: toWordsMessage(quoted("x".repeat(2_000))),
});

/** What must be known before reading on. */
export const bannerSpecimens: SpecimenGroup = {
  title: "Banners",
  specimens: [
    ...EVERY_FRESHNESS.filter(({ kind }) => kind !== "live").map((freshness) => banner(freshness.kind, fixtureStore("staging"), freshness)),
    banner("agent configuration broken", fixtureStore("misconfigured")),
    banner("truncated", fixtureStore("staging", { sources: [truncated] })),
    banner("a kind fails", fixtureStore("staging", { sources: [failing] })),
    banner("a kind fails with 2 kB of words", fixtureStore("staging", { sources: [failingSince] })),
    { title: "a newer version", body: <VersionOffer onLater={() => undefined} />, openPx: 96 },
    { title: "held", body: held(fixtureStore("staging")) },
    { title: "session ended", body: <SessionEnded /> },
    { title: "layout restarting", body: <LayoutNote layout="restarting" onTryAgain={() => undefined} /> },
    { title: "layout stopped", body: <LayoutNote layout="stopped" onTryAgain={() => undefined} /> },
  ],
};
