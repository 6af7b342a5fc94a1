"use client";
import type { SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { ProblemKind, SettledState } from "@binnacle/proto/dashboard-enums";
import { useRouter } from "next/navigation";
import { useEffect, type ComponentType, type ReactNode, useState } from "react";
import { AppBar, type Crumb } from "../../ui/app-bar.tsx";
import { ErrorBoundary } from "../../ui/error-boundary.tsx";
import { useFocusAfterNavigation } from "../../ui/focus-content.ts";
import { withoutPrefix } from "../../ui/path-prefix.ts";
import { useLazyCode, type ComingCode } from "../../ui/lazy-code.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { StoppedClock, useNow } from "../../ui/use-now.ts";
import { projectCrumbs } from "../address/project-crumbs.ts";
import { indexPath, settingsPath } from "../address/route-path.ts";
import { terminalTitle } from "../address/terminal-title.ts";
import type { SentAnswers } from "../queries/query-provider.tsx";
import { LaterAnswers } from "../queries/later-answers.tsx";
import { useSessionEnd } from "../queries/session-end.ts";
import { EnvironmentProvider, useView } from "../live/environment-context.tsx";
import { freshnessOf, isGrey, type Freshness } from "@binnacle/presentation/view/freshness";
import { isWhole } from "@binnacle/presentation/view/is-whole";
import { PaletteButton } from "../palette/palette-button.tsx";
import { DrawerFailure, ResourceDrawer } from "../resource-detail/resource-drawer.tsx";
import { signInPath } from "../session/sign-in-path.ts";
import { UserMenu } from "../session/user-menu.tsx";
import { useViewer } from "../session/use-viewer.ts";
import { Announcer } from "./announcer.tsx";
import { Banners } from "./banners.tsx";
import { EnvironmentHeader } from "./environment-header.tsx";
import styles from "./environment.module.css";
import { FirstSummary } from "./first-summary.tsx";
import { ProblemState, ViewFailure } from "./problem-state.tsx";
import { LAZY_EVENTS, LAZY_GRAPH, LAZY_HOLD_BANNER, LAZY_KEYS, LAZY_LIST, LAZY_LOGS, LAZY_PALETTE, LAZY_SUMMARY } from "./lazy-views.ts";
import type { EnvironmentView } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { t } from "../../ui/messages.ts";
import { tElements } from "../../ui/message-elements.ts";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { whenIdle } from "../../ui/when-idle.ts";
import { LAZY_DETAILS } from "../resource-detail/lazy-details.ts";

interface Names {
  readonly projectPath: string;
  readonly environment: string;
}

/** What the page was sent with, and what comes later in the same answer. */
interface First {
  readonly first?: SummarizeEnvironmentResponse | undefined;
  readonly later?: Promise<SummarizeEnvironmentResponse | undefined> | undefined;
  /** The last deployment, made without a script. */
  readonly deployment?: ReactNode;
  /** How GitOps stands, made without a script. */
  readonly sync?: ReactNode;
}

const SLOW_AFTER_MS = 5000;

/** A window in which a graph is a keyhole (environment.module.css has the same). */
const PHONE = "(max-width: 640px)";

/** One environment: header, views, drawer. */
export function EnvironmentPage({ first, later, deployment, sync, answers, ...names }: Names & First & SentAnswers): ReactNode {
  return (
    <EnvironmentProvider {...names} first={first}>
      <LaterAnswers answers={answers}>
        <Page {...names} later={later} deployment={deployment} sync={sync} />
      </LaterAnswers>
    </EnvironmentProvider>
  );
}

function Page({ projectPath, environment, later, deployment, sync }: Names & Omit<First, "first">): ReactNode {
  const view = useView();
  const now = useNow();
  const [url] = useUrlState();
  const router = useRouter();
  const freshness = freshnessOf(view, now);
  const problem = view.problem;
  const unauthenticated = problem?.kind === ProblemKind.UNAUTHENTICATED;
  const bare = unauthenticated && view.version === 0;
  // What was shown stays, unless the viewer may not see it any more.
  const hides = problem !== undefined && !unauthenticated && (view.version === 0 || problem.kind !== ProblemKind.UNAVAILABLE);
  // Without a view beside it; the drawer stays where it is in the tree, so that a shell goes on.
  const isFull = url.full !== "" && !hides;
  const shown = isFull ? undefined : url.view;
  const summary = useLazyCode(LAZY_SUMMARY, shown === "summary");
  const graph = useLazyCode(LAZY_GRAPH, shown === "graph");
  const list = useLazyCode(LAZY_LIST, shown === "list");
  const events = useLazyCode(LAZY_EVENTS, shown === "events");
  const logs = useLazyCode(LAZY_LOGS, shown === "logs");
  const Keys = useLazyCode(LAZY_KEYS, true).code;
  usePhoneView();
  useFocusAfterNavigation(url.view);
  usePrefetch(view.complete && !isFull);
  useTitlePrefix(terminalTitle(url));
  const Held = useLazyCode(LAZY_HOLD_BANNER, view.pause !== undefined).code;
  const lazy = { summary, graph, list, events, logs }[url.view];
  // The summary that the page was sent with stays until the other can be drawn.
  const isAwaited = lazy === summary && summary.code === undefined && summary.failure === undefined && view.empty === undefined;
  useEffect(() => {
    if (bare) router.replace(signInPath(`${withoutPrefix(location.pathname)}${location.search}`));
  }, [bare, router]);
  const viewer = useViewer(view.viewer, hides);
  const ended = useSessionEnd();
  const grey = isGrey(freshness) || unauthenticated || (ended && !bare);
  return (
    <div className={styles["page"]}>
      <AppBar crumbs={crumbsOf(projectPath, environment)}>
        <PaletteButton lazy={LAZY_PALETTE} render={(Palette, onClose) => <Palette projectPath={projectPath} onClose={onClose} />} />
        <UserMenu viewer={viewer} />
      </AppBar>
      {!isFull && (
        <EnvironmentHeader projectPath={projectPath} name={environment} freshness={freshness} deployment={deployment} sync={sync} />
      )}
      <noscript>
        <output className="banner missing">{t("environment/no-javascript")}</output>
      </noscript>
      <Banners freshness={freshness} />
      {Held !== undefined && <Held />}
      <main id="content" className={`${styles["work"]} ${grey ? `${styles["grey"]} stale-data` : ""}`} data-stale={grey}>
        {hides ? (
          <ProblemState problem={problem} backTo={indexPath(projectPath)} settings={settingsPath(projectPath, environment)} />
        ) : (
          <StoppedClock value={view.pause?.sinceMs}>
            {!isFull && (
              <div className={styles["view"]}>
                <StillLoading />
                {(view.blank || isAwaited) && !bare ? (
                  <FirstLoad freshness={freshness} later={later} />
                ) : (
                  <Content kind={url.view} lazy={lazy} />
                )}
              </div>
            )}
            <ErrorBoundary resetKey={`${url.sel} ${url.tab}`} fallback={DrawerFailure}>
              <ResourceDrawer projectPath={projectPath} environment={environment} />
            </ErrorBoundary>
          </StoppedClock>
        )}
      </main>
      <Announcer freshness={freshness} />
      {Keys !== undefined && <Keys projectPath={projectPath} />}
    </div>
  );
}

/** Of the document's title; one that was sent with the HTML is not repeated. */
function useTitlePrefix(prefix: string): void {
  useEffect(() => {
    if (prefix === "") return undefined;
    if (!document.title.includes(prefix)) document.title = `${prefix}${document.title}`;
    return () => {
      document.title = document.title.replace(prefix, () => "");
    };
  }, [prefix]);
}

function Content({ kind, lazy }: { readonly kind: EnvironmentView; readonly lazy: ComingCode<ComponentType> }): ReactNode {
  const view = useView();
  // Of what is gone there are still events, and a sync may be why nothing is there.
  const hasMore = kind === "events" || (kind === "summary" && (view.environment?.delivery?.sync?.value?.syncs.length ?? 0) > 0);
  if (view.empty !== undefined && isWhole(view) && !hasMore) return <ProblemState problem={view.empty} />;
  return (
    <ErrorBoundary key={kind} fallback={ViewFailure} onRetry={lazy.retry}>
      <LazyView {...lazy} />
    </ErrorBoundary>
  );
}

function LazyView({ code: Loaded, failure }: ComingCode<ComponentType>): ReactNode {
  if (failure !== undefined) throw failure.error;
  return Loaded === undefined ? <Loading /> : <Loaded />;
}

/** Nothing is known yet: then nothing is counted. Who is away stands in the banner. */
function FirstLoad({ freshness, later }: { readonly freshness: Freshness } & Pick<First, "later">): ReactNode {
  const { stream, firstAsOfMs } = useView();
  const lost = stream.kind === "lost" && <StatePanel icon="off" message={t("environment/binnacle-unavailable")} more={stream.reason} />;
  if (firstAsOfMs !== undefined) {
    return (
      <>
        {lost}
        <FirstSummary later={later} />
      </>
    );
  }
  if (lost !== false) return lost;
  if (freshness.kind !== "connecting" && freshness.kind !== "live" && freshness.kind !== "reconnecting")
    return <StatePanel icon="off" message={t("environment/nothing-read-yet")} />;
  return <FirstSummary later={later} />;
}

function Loading(): ReactNode {
  return (
    <div className={styles["pad"]}>
      <Skeleton rows={6} label={t("environment/loading-resources")} />
    </div>
  );
}

function crumbsOf(projectPath: string, environment: string): readonly Crumb[] {
  return [...projectCrumbs(projectPath), { text: t("ui/environments"), href: indexPath(projectPath) }, { text: environment, isName: true }];
}

/** Names the kinds that are slow; one slow kind never blocks the others. */
export function StillLoading(): ReactNode {
  const view = useView();
  const [slow, setSlow] = useState(false);
  const isKnown = isWhole(view);
  useEffect(() => {
    if (isKnown) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [isKnown]);
  const loading = view.sources.filter((source) => source.settled === SettledState.UNSPECIFIED).map((source) => source.resource);
  if (isKnown || !slow || loading.length === 0) return null;
  const names = [...new Set(loading)].sort();
  return (
    <output className={styles["loading"]}>
      {tElements("environment/rest-shown-as-it-arrives", {
        slice: (
          <b className="b">
            {t("environment/still-loading", {
              names: names.slice(0, 4).join(", "),
              count: names.length > 4 ? names.length - 4 : undefined,
            })}
          </b>
        ),
      })}
    </output>
  );
}

/** On a phone an address that names no view is the list's: the graph has no room. One that names the graph stays what it is. */
function usePhoneView(): void {
  const [, setUrl] = useUrlState();
  // Until the page has taken the HTML over, its router does not hear of addresses.
  const isHydrated = useHydrated();
  useEffect(() => {
    const named = new URLSearchParams(location.search).has("view");
    if (isHydrated && !named && matchMedia(PHONE).matches) setUrl({ view: "list" }, "replace");
  }, [isHydrated, setUrl]);
}

/** Fetches what people open most, when the page is whole and idle: then it is there when they do. */
function usePrefetch(isWhole: boolean): void {
  useEffect(() => {
    if (!isWhole) return undefined;
    return whenIdle(() => {
      // Opening one reports why it did not load.
      for (const lazy of [LAZY_LIST, LAZY_DETAILS]) lazy.fetch().catch(() => undefined);
    });
  }, [isWhole]);
}
