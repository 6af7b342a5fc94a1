"use client";
import type { WatchEnvironmentsResponse } from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { Suspense, useEffect, useState, type ReactNode } from "react";
import { AppBar, type Crumb } from "../../ui/app-bar.tsx";
import { LazyCode } from "../../ui/lazy-code.ts";
import { withoutPrefix } from "../../ui/path-prefix.ts";
import { t, tLater } from "../../ui/messages.ts";
import { Icon } from "../../ui/icon.tsx";
import { useFocusAfterNavigation } from "../../ui/focus-content.ts";
import { StoppedClock, useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { QueryProvider, type SentAnswers } from "../queries/query-provider.tsx";
import { useSessionEnd } from "../queries/session-end.ts";
import { STALE_AFTER_MS } from "@binnacle/presentation/view/freshness";
import { favouritesFirst } from "../favourites/favourites.ts";
import { FavouritesOf, useFavouritesFirst } from "../favourites/use-favourites-first.ts";
import { PaletteButton } from "../palette/palette-button.tsx";
import { signInPath } from "../session/sign-in-path.ts";
import { SessionEnded } from "../session/session-ended.tsx";
import { UserMenu } from "../session/user-menu.tsx";
import { useViewer } from "../session/use-viewer.ts";
import { isLoading, isOrderWanted } from "./environments-state.ts";
import styles from "./environments.module.css";
import { sourceWords, summaryWords, timesOf } from "@binnacle/presentation/environments/index-words";
import { projectCrumbs } from "../address/project-crumbs.ts";
import { agentsPath, newEnvironmentPath } from "../address/route-path.ts";
import { useIndexState } from "../address/use-index-state.ts";
import { IndexContent, IndexFootState, IndexIssues, IndexViews } from "./index-content.tsx";
import { IndexFilters, wordOfRow } from "./index-filters.tsx";
import { knowledgeOf } from "@binnacle/presentation/environments/row-knowledge";
import { nameOf, statusOfRow } from "@binnacle/presentation/environments/row-order";
import { syncOfRow } from "./row-sync.tsx";
import { useEnvironments, useIndexFilter } from "./use-environments.ts";
import { HeldAt, IndexHoldBanner, useIndexHold } from "./hold/index-hold.tsx";
import { LeftEnvironments } from "./dynamic/left-environments.tsx";
import { folderSizes, indexEntries } from "./dynamic/index-folders.ts";
import { useOpenFolders } from "./dynamic/use-open-folders.ts";
import { HoldToggle } from "../hold/hold-toggle.tsx";
import { useHeldOrder } from "./use-held-order.ts";
import { tElements } from "../../ui/message-elements.ts";
import { formatAbsolute } from "../../ui/format-time.ts";
import printStyles from "../print/print.module.css";
import { usePrinting } from "../../ui/use-printing.ts";

/** While the table fills, it is sorted anew this often at most: the worst should come up, but nothing should run away. */
const FILLING_MS = 20_000;
/** The visible rows are reported this long after the last scroll. */
const VISIBLE_AFTER_MS = 1_000;
/** The command palette. */
const LAZY_PALETTE = new LazyCode(async () => (await import("./environments-palette.tsx")).EnvironmentsPalette);
const NO_NAMES: readonly string[] = [];

interface IndexProps {
  readonly projectPath: string;
  /** What the page was sent with. */
  readonly first?: WatchEnvironmentsResponse | undefined;
}

/** Environments of a project, worst first, each as new as it is known. */
export function EnvironmentsPage({ answers, ...props }: IndexProps & SentAnswers): ReactNode {
  return (
    <QueryProvider answers={answers}>
      <Page {...props} />
    </QueryProvider>
  );
}

function Page(props: IndexProps): ReactNode {
  const { projectPath, first } = props;
  const [visible, setVisible] = useState(NO_NAMES);
  const [url, setUrl] = useIndexState();
  const isOnIssues = url.view === "issues";
  useFocusAfterNavigation(url.view);
  const live = useEnvironments(projectPath, { visible, issues: isOnIssues, sent: first });
  const { state, hold, toggle } = useIndexHold(live, url.view);
  const router = useRouter();
  const [{ text, status, sync }, setFilter] = useIndexFilter();
  const clock = useNow();
  const now = hold?.sinceMs ?? clock;
  const stale = state.lastMessageMs > 0 && now - state.lastMessageMs > STALE_AFTER_MS;
  const refused = useSessionEnd();
  const ended = refused || state.problem?.kind === ProblemKind.UNAUTHENTICATED;
  const bare = ended && state.lastMessageMs === 0;
  const viewer = useViewer(state.viewer, state.problem !== undefined && !ended);
  useEffect(() => {
    if (bare) router.replace(signInPath(withoutPrefix(location.pathname)));
  }, [bare, router]);
  const onVisible = useVisibleLater(isOrderWanted(state), setVisible);
  const filling = isLoading(state) ? Math.floor((now - state.firstRowsMs) / FILLING_MS) : undefined;
  const { names: sorted, handlers } = useHeldOrder(state.rows, filling);
  const favourites = useFavouritesFirst(projectPath, viewer?.username);
  const names = favourites.isFirst ? favouritesFirst(sorted, favourites.names) : sorted;
  const away = stale || state.lost || ended;
  const standing = {
    nowMs: state.sentAtMs ?? now,
    lostSinceMs: away && state.sentAtMs === undefined ? state.lastMessageMs : undefined,
    kept: state.kept,
    isAsSent: state.sentAtMs !== undefined,
  };
  const known = names.flatMap((name) => {
    const row = state.rows.get(name);
    return row === undefined ? [] : [{ row, knowledge: knowledgeOf(row, standing) }];
  });
  const wanted = text.trim().toLowerCase();
  const shown = known.filter(
    ({ row }) =>
      nameOf(row).toLowerCase().includes(wanted) &&
      (status === undefined || statusOfRow(row) === status) &&
      (sync === undefined || syncOfRow(row) === sync),
  );
  const folders = useOpenFolders(text !== "" || status !== undefined || sync !== undefined);
  const isPrinting = usePrinting();
  const entries = indexEntries(shown, { sizes: folderSizes(state.rows.keys()), isOpen: (folder) => isPrinting || folders.isOpen(folder) });
  const order = filling === undefined ? t("environments/sorted-by-severity") : t("ui/sorted-when-known");
  return (
    <div className="page">
      <AppBar crumbs={crumbsOf(projectPath)}>
        <PaletteButton
          lazy={LAZY_PALETTE}
          render={(Palette, onClose) => <Palette projectPath={projectPath} rows={state.rows} onClose={onClose} />}
        />
        <UserMenu viewer={viewer} />
      </AppBar>
      {ended && !bare && <SessionEnded />}
      {hold !== undefined && <IndexHoldBanner hold={hold} toggle={toggle} />}
      <PrintedIndexHead
        projectPath={projectPath}
        filters={
          isOnIssues ? { search: url.q, health: url.health } : { search: text, health: status === undefined ? [] : [wordOfRow(status)] }
        }
        asOfMs={state.sentAtMs ?? (away ? state.lastMessageMs : now)}
        standing={sourceWords(known, clock).words}
        times={timesOf(known)}
      />
      <main id="content" className={styles["main"]}>
        <div className={styles["head"]}>
          <h1>{isOnIssues ? t("ui/issues") : t("ui/environments")}</h1>
          {(!isOnIssues || hold !== undefined) && (
            <p>
              {hold !== undefined && <HeldAt hold={hold} />}
              {hold !== undefined && !isOnIssues && ": "}
              {!isOnIssues && (known.length > 0 ? <WithTimes text={summaryWords(known, now)} times={timesOf(known)} now={now} /> : " ")}
            </p>
          )}
          <IndexViews view={url.view} onView={(view) => setUrl({ view })} />
          <Link className={`btn ghost sm ${styles["new"]}`} href={newEnvironmentPath(projectPath)} prefetch={false}>
            {t("settings/new")}
          </Link>
          <Link className={`btn ghost sm ${styles["new"]}`} href={agentsPath(projectPath)} prefetch={false}>
            {t("agents/agents")}
          </Link>
          {(hold !== undefined || (state.rows.size > 0 && state.lastMessageMs > 0)) && (
            <Suspense>
              <HoldToggle isHeld={hold !== undefined} toggle={toggle} />
            </Suspense>
          )}
        </div>
        {isOnIssues && state.rows.size > 0 && (
          <StoppedClock value={hold?.sinceMs}>
            <IndexIssues rows={known} nowMs={standing.nowMs} />
          </StoppedClock>
        )}
        {!isOnIssues && state.rows.size > 0 && (
          <IndexFilters state={state} text={text} status={status} sync={sync} onFilter={setFilter}>
            {favourites.names.size > 0 && (
              <button type="button" className="chip" aria-pressed={favourites.isFirst} onClick={favourites.toggle}>
                <Icon name="star" size={14} />
                {tElements("environments/favourites-first", { size: <b className="num">{favourites.names.size}</b> })}
              </button>
            )}
          </IndexFilters>
        )}
        {(!isOnIssues || state.rows.size === 0) && (
          <FavouritesOf value={viewer?.username}>
            <StoppedClock value={hold?.sinceMs}>
              <IndexContent
                state={state}
                entries={entries}
                onFolder={folders.set}
                stale={stale || ended}
                handlers={handlers}
                onVisible={onVisible}
                onClear={() => setFilter({ text: "", status: undefined, sync: undefined })}
              />
            </StoppedClock>
          </FavouritesOf>
        )}
        {state.rows.size > 0 && (
          <p className={styles["foot"]}>
            {hold === undefined ? <IndexFootState state={state} known={known} stale={stale} /> : <HeldAt hold={hold} />}
            {!isOnIssues && (
              <span>{favourites.isFirst && favourites.names.size > 0 ? t("environments/sorted-favourites-first", { order }) : order}</span>
            )}
            {hold === undefined && <LeftEnvironments left={state.left} />}
            <span className="grow" />
            {!isOnIssues && <span>{t("environments/of-environments", { count: shown.length, size: state.rows.size })}</span>}
          </p>
        )}
      </main>
    </div>
  );
}

/** Tells what is on the screen a moment after it has come to rest, and only while that matters. */
function useVisibleLater(wanted: boolean, tell: (names: readonly string[]) => void): (names: readonly string[]) => void {
  const [names, setNames] = useState(NO_NAMES);
  useEffect(() => {
    if (!wanted || names.length === 0) return undefined;
    const timer = setTimeout(() => tell(names), VISIBLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted, names, tell]);
  return setNames;
}

function crumbsOf(projectPath: string): readonly Crumb[] {
  return [...projectCrumbs(projectPath), { text: t("ui/environments") }];
}

/** What paper says of an index that it cannot show: of which project and when it is, how that was known, and by what it is filtered. */
interface PrintedIndexHeadProps {
  readonly projectPath: string;
  readonly filters: { readonly search: string; readonly health: readonly string[] };
  /** Milliseconds since the epoch, by the server's clock. */
  readonly asOfMs: number;
  /** How new all is, in words. */
  readonly standing: string;
  /** Those that the words may name. Milliseconds since the epoch. */
  readonly times: readonly number[];
}

/** The head of an index on paper; nothing on the screen. */
function PrintedIndexHead(props: PrintedIndexHeadProps): ReactNode {
  return (
    usePrinting() && (
      <Suspense>
        <Lines {...props} />
      </Suspense>
    )
  );
}

function Lines({ projectPath, filters: { search, health }, asOfMs, standing, times }: PrintedIndexHeadProps): ReactNode {
  const now = useNow(60_000);
  const filters = [
    ...(search === "" ? [] : [tLater("export/filter/search", { names: search })]),
    ...(health.length === 0 ? [] : [tLater("export/filter/health", { names: health.join(", ") })]),
  ];
  const asOf = tLater("export/as-of", { at: formatAbsolute(asOfMs, now) });
  return (
    <div className={printStyles["head"]} data-printed="head">
      <p>{projectPath}</p>
      <p>{filters.length === 0 ? tLater("export/filter/none") : filters.join("; ")}</p>
      <p>
        <WithTimes text={`${[asOf, standing].filter(Boolean).join(". ")}.`} times={[asOfMs, ...times]} now={now} />
      </p>
    </div>
  );
}
