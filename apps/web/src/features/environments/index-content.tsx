"use client";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import type { PageWordsId } from "@binnacle/words/en/page";
import Link from "next/link";
import type { ReactNode, MouseEvent } from "react";
import { formatSecond } from "../../ui/format-time.ts";
import { useLazyCode, LazyCode } from "../../ui/lazy-code.ts";
import { messageText, t } from "../../ui/messages.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { encodeIndexState, parseIndexState, type IndexState } from "../address/index-state.ts";
import { isPlainClick } from "../address/state-link.tsx";
import type { EnvironmentsState } from "./environments-state.ts";
import { EnvironmentsTable } from "./environments-table.tsx";
import { type KnownRow, sourceWords, timesOf } from "@binnacle/presentation/environments/index-words";
import type { useHeldOrder } from "./use-held-order.ts";

/** The list of issues: who looks at environments does not load it. */
const LAZY_ISSUES = new LazyCode(async () => (await import("./issues/issues-view.tsx")).IssuesView);

const VIEWS = [
  { view: "environments", word: "ui/environments" },
  { view: "issues", word: "ui/issues" },
] as const satisfies readonly { readonly view: IndexState["view"]; readonly word: PageWordsId }[];

const NOTHING = parseIndexState(new URLSearchParams());

/** The table of environments, or why there is none. */
export function IndexContent(props: {
  readonly state: EnvironmentsState;
  readonly shown: readonly KnownRow[];
  readonly stale: boolean;
  readonly handlers: ReturnType<typeof useHeldOrder>["handlers"];
  readonly onVisible: (names: readonly string[]) => void;
  readonly onClear: () => void;
}): ReactNode {
  const { state, shown, stale, handlers, onVisible, onClear } = props;
  const problem = state.problem;
  if (problem !== undefined && problem.kind !== ProblemKind.UNAUTHENTICATED && state.rows.size === 0) {
    return (
      <StatePanel
        icon={problem.kind === ProblemKind.NOT_FOUND ? "search" : "off"}
        message={messageText(problem.words)}
        more={messageText(problem.details)}
        actions={
          <Link className="btn sm" href="/">
            {t("ui/all-projects")}
          </Link>
        }
        role="alert"
      />
    );
  }
  if (state.rows.size === 0 && state.complete) {
    return <StatePanel icon="search" message={t("environments/none-in-project")} more={t("environments/first-environment-hint")} />;
  }
  if (state.rows.size === 0)
    return (
      <Skeleton rows={5} label={state.lost ? t("environments/binnacle-unavailable-retrying") : t("environments/loading-environments")} />
    );
  if (shown.length === 0) {
    return (
      <StatePanel
        icon="search"
        message={t("environments/no-environment-matches", { size: state.rows.size })}
        actions={
          <button type="button" className="btn sm primary" onClick={onClear}>
            {t("ui/clear-filters")}
          </button>
        }
      />
    );
  }
  return <EnvironmentsTable rows={shown} stale={stale} handlers={handlers} onVisible={onVisible} />;
}

/** Of when the index is, and from whom. */
export function IndexFootState(props: {
  readonly state: EnvironmentsState;
  readonly known: readonly KnownRow[];
  readonly stale: boolean;
}): ReactNode {
  const { state, known, stale } = props;
  const now = useNow();
  const dated = (text: string, atMs: number): ReactNode => (
    <span className="row">
      <WithTimes text={text} times={[atMs]} now={now} />
    </span>
  );
  if (state.sentAtMs !== undefined)
    return dated(t("environments/as-of-connecting", { at: formatSecond(state.sentAtMs, now) }), state.sentAtMs);
  const at = formatSecond(state.lastMessageMs, now);
  if (stale) return dated(t("environments/stale-as-of", { at }), state.lastMessageMs);
  if (state.lost) return dated(t("environments/reconnecting-as-of", { at }), state.lastMessageMs);
  const { live, words } = sourceWords(known, now);
  return (
    <span className="row">
      {live && <span className="live" />}
      <span>
        <WithTimes text={words} times={timesOf(known)} now={now} />
      </span>
    </span>
  );
}

/** The issues of all, when their code has come. */
export function IndexIssues(props: { readonly rows: readonly KnownRow[]; readonly nowMs: number }): ReactNode {
  const { code: View, failure, retry } = useLazyCode(LAZY_ISSUES, true);
  if (View !== undefined) return <View {...props} />;
  if (failure === undefined) return <Skeleton rows={5} label={t("environments/loading-issues")} />;
  return (
    <StatePanel
      icon="off"
      message={t("environments/issues-not-loaded")}
      role="alert"
      actions={
        <button type="button" className="btn sm primary" onClick={retry}>
          {t("ui/try-again")}
        </button>
      }
    />
  );
}

/** The two views of the index, as links: each has an address. */
export function IndexViews(props: { readonly view: IndexState["view"]; readonly onView: (view: IndexState["view"]) => void }): ReactNode {
  const { view: here, onView } = props;
  return (
    <nav className="seg" aria-label={t("ui/views")}>
      {VIEWS.map(({ view, word }) => {
        const go = (event: MouseEvent): void => {
          if (!isPlainClick(event)) return;
          event.preventDefault();
          onView(view);
        };
        return (
          <a key={view} href={encodeIndexState({ ...NOTHING, view }) || "?"} aria-current={view === here ? "page" : undefined} onClick={go}>
            {t(word)}
          </a>
        );
      })}
    </nav>
  );
}
