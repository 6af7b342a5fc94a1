"use client";
import type { EnvironmentHealth, SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { Suspense, use, useEffect, useMemo, type ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatClock, formatSecond } from "../../ui/format-time.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { useEnvironmentStore, useView } from "../live/environment-context.tsx";
import { firstViewOf } from "@binnacle/presentation/view/first-view";
import { withSyncIssues } from "@binnacle/presentation/health/with-sync-issues";
import { WhyList } from "../why/why-list.tsx";
import styles from "./environment.module.css";
import { ProblemState } from "./problem-state.tsx";
import { headlineOf, worstSinceMs } from "@binnacle/presentation/health/summary-words";
import { t } from "../../ui/messages.ts";
import { tElements } from "../../ui/message-elements.ts";

/** Before any resource is known: what the page was sent with, or is sent later in the same answer; rows that are still to come without it. */
export function FirstSummary({ later }: { readonly later: Promise<SummarizeEnvironmentResponse | undefined> | undefined }): ReactNode {
  const { empty, health, firstAsOfMs } = useView();
  if (empty !== undefined) return <ProblemState problem={empty} />;
  if (health !== undefined && firstAsOfMs !== undefined) return <Headline health={health} asOfMs={firstAsOfMs} />;
  if (later === undefined) return <Resources />;
  return (
    <Suspense fallback={<Resources />}>
      <Later later={later} />
    </Suspense>
  );
}

function Later({ later }: { readonly later: Promise<SummarizeEnvironmentResponse | undefined> }): ReactNode {
  const store = useEnvironmentStore();
  const answer = use(later);
  const first = useMemo(() => (answer === undefined ? undefined : firstViewOf(answer)), [answer]);
  useEffect(() => {
    if (first !== undefined) store.begin(first);
  }, [store, first]);
  if (first?.problem !== undefined) return <ProblemState problem={first.problem} />;
  if (first?.health === undefined || first.firstAsOfMs === undefined) return <Resources />;
  return <Headline health={first.health} asOfMs={first.firstAsOfMs} />;
}

function Headline({ health: read, asOfMs }: { readonly health: EnvironmentHealth; readonly asOfMs: number }): ReactNode {
  const { environment, kept } = useView();
  const now = useNow(10_000);
  // A kept picture is dated as everywhere on the page; what was read for the page a moment ago is of a second.
  const format = kept ? formatClock : formatSecond;
  const health = withSyncIssues(read, environment?.delivery);
  const { main, rest, look } = headlineOf(health, environment?.delivery, now);
  const [{ q, kinds, health: statuses, order }] = useUrlState();
  const isFiltered = `${q}${kinds}${statuses}${order}` !== "";
  return (
    <div className={styles["summary"]}>
      <div className={`${styles["sentence"]} ${look}`} data-first-summary="">
        <StateGlyph look={look} size={24} />
        <h2>
          {tElements("environment/as-of", {
            at: (
              <ExactTime atMs={asOfMs} now={now}>
                {format(asOfMs, now)}
              </ExactTime>
            ),
            main: <WithTimes text={main} times={[worstSinceMs(health)]} now={now} />,
          })}{" "}
          <span>{rest}</span>
        </h2>
      </div>
      <div className={styles["stack"]}>
        {/* What filters comes later; until then no issue is shown that the address does not ask for. */}
        {!isFiltered && <WhyList health={health} environment={environment?.name ?? ""} complete />}
        <Skeleton rows={6} label={t("environment/loading-resources")} />
      </div>
    </div>
  );
}

function Resources(): ReactNode {
  return (
    <div className={styles["pad"]}>
      <Skeleton rows={6} label={t("environment/loading-resources")} />
    </div>
  );
}
