import { EnvironmentHealthSchema, HealthStatus, SettledState, SourceSchema, type Source, StaleCause } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted, words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ReactNode } from "react";
import { EnvironmentHeader, SampledPill } from "../../src/features/environment/environment-header.tsx";
import { AccessPill, ConnectionPill, HealthPill } from "../../src/features/environment/pills.tsx";
import { wordOf } from "../../src/features/live/health-status.ts";
import type { EnvironmentStore } from "../../src/features/live/environment-store.ts";
import type { Freshness } from "@binnacle/presentation/view/freshness";
import type { SpecimenGroup } from "./specimen.ts";
import styles from "./specimen-sheet.module.css";
import { fixtureStore, In, NOW_MS } from "./specimen-store.tsx";

const LIVE: Freshness = { kind: "live", asOfMs: NOW_MS };
const AGO_MS = NOW_MS - 4 * 60_000;

/** All that a view may say about how fresh it is. */
export const EVERY_FRESHNESS: readonly Freshness[] = [
  { kind: "connecting" },
  LIVE,
  { kind: "reconnecting", asOfMs: AGO_MS },
  { kind: "stale", asOfMs: AGO_MS },
  { kind: "bff-unreachable", sinceMs: AGO_MS, asOfMs: AGO_MS, grey: true },
  { kind: "kas-unreachable", sinceMs: AGO_MS, asOfMs: AGO_MS },
  { kind: "agent-offline", sinceMs: AGO_MS, asOfMs: AGO_MS },
  { kind: "api-down", sinceMs: undefined, asOfMs: AGO_MS },
  { kind: "agent-never-connected" },
];

const source = (resource: string, settled: SettledState): Source =>
  create(SourceSchema, { resource, version: "v1", namespace: "shop-prod", settled });
const sampled = ["configmaps", "events", "persistentvolumes"].map((resource) =>
  create(SourceSchema, {
    ...source(resource, SettledState.LIVE),
    staleCause: StaleCause.SAMPLED,
    staleWords: toWordsMessage(words("source/watch-budget", { seconds: 30 })),
    every: durationFromMs(30_000),
    asOf: timestampFromMs(NOW_MS - 12_000),
  }),
);
const refused = Array.from({ length: 40 }, (_, index) => ({
  ...source(`kind${index}s`, SettledState.FORBIDDEN),
  words: toWordsMessage(
    quoted(`kind${index}s is forbidden: User "gitlab:user:mara" cannot list resource "kind${index}s" in the namespace "shop-prod"`),
  ),
}));

function health(status: HealthStatus, partial = false): EnvironmentStore {
  return fixtureStore("staging", { health: create(EnvironmentHealthSchema, { status, partial, counts: [{ status, count: 3 }] }) });
}

function row(store: EnvironmentStore, freshness: Freshness, pill: (props: { readonly freshness: Freshness }) => ReactNode): ReactNode {
  const Pill = pill;
  return (
    <In store={store}>
      <div className={styles["wrap"]}>
        <Pill freshness={freshness} />
      </div>
    </In>
  );
}

const STATUSES = [
  HealthStatus.HEALTHY,
  HealthStatus.PROGRESSING,
  HealthStatus.SUSPENDED,
  HealthStatus.MISSING,
  HealthStatus.DEGRADED,
  HealthStatus.UNKNOWN,
];
const production = fixtureStore("production");

/** The pills of an environment; they are never merged. */
export const pillSpecimens: SpecimenGroup = {
  title: "Pills",
  specimens: [
    ...STATUSES.map((status) => ({ title: `health ${wordOf(status)}`, body: row(health(status), LIVE, HealthPill) })),
    { title: "health, partial", body: row(health(HealthStatus.DEGRADED, true), LIVE, HealthPill) },
    { title: "health, stale", body: row(health(HealthStatus.DEGRADED), { kind: "stale", asOfMs: AGO_MS }, HealthPill) },
    { title: "health, not known yet", body: row(fixtureStore("loading"), { kind: "connecting" }, HealthPill) },
    ...EVERY_FRESHNESS.map((freshness) => ({ title: `connection ${freshness.kind}`, body: row(production, freshness, ConnectionPill) })),
    { title: "access, full", body: row(fixtureStore("staging"), LIVE, AccessPill) },
    {
      title: "access, checking",
      body: row(fixtureStore("staging", { sources: [source("pods", SettledState.UNSPECIFIED)] }), LIVE, AccessPill),
    },
    { title: "access, partial", body: row(production, LIVE, AccessPill) },
    { title: "access, partial, open", body: row(production, LIVE, AccessPill), openPx: 320 },
    { title: "access, forty kinds refused, open", body: row(fixtureStore("staging", { sources: refused }), LIVE, AccessPill), openPx: 600 },
    { title: "updates, sampled", body: row(fixtureStore("staging", { sources: sampled }), LIVE, SampledPill) },
    { title: "updates, sampled, open", body: row(fixtureStore("staging", { sources: sampled }), LIVE, SampledPill), openPx: 440 },
    {
      title: "header",
      body: (
        <In store={production}>
          <EnvironmentHeader projectPath="harbor/storefront" name="production" freshness={LIVE} />
        </In>
      ),
    },
    {
      title: "header, long name",
      body: (
        <In store={fixtureStore("review/1184")}>
          <EnvironmentHeader
            projectPath="harbor/storefront"
            name={"review/1184-cart-checkout-with-a-branch-name-that-is-much-too-long-".repeat(3)}
            freshness={LIVE}
          />
        </In>
      ),
    },
  ],
};
