"use client";
import type { ConfigurationError, Source, Words as SentWords } from "@binnacle/proto/dashboard";
import { ProblemKind, SettledState, StaleCause } from "@binnacle/proto/dashboard-enums";
import { words, type Words } from "@binnacle/words";
import type { ReactNode } from "react";
import { formatAge, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { messageText, t } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useSessionEnd } from "../queries/session-end.ts";
import { useView } from "../live/environment-context.tsx";
import { timesOf, type Freshness } from "@binnacle/presentation/view/freshness";
import { SessionEnded } from "../session/session-ended.tsx";
import { connectionSentence } from "@binnacle/presentation/view/connection-words";
import styles from "./environment.module.css";

const MAX_NAMED = 3;

/** What a person must know before reading on; each fact has its own line. */
export function Banners({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const view = useView();
  const now = useNow();
  const problem = view.problem;
  const ended = useSessionEnd();
  const truncated = truncatedWords(view.sources);
  const sentence = connectionSentence(freshness, {
    agent: view.environment?.agentName ?? "",
    message: messageText(view.connection?.words),
    hasContent: !view.blank || view.firstAsOfMs !== undefined,
    isKept: view.kept,
    nowMs: now,
  });
  return (
    <>
      {(ended || problem?.kind === ProblemKind.UNAUTHENTICATED) && view.version > 0 && <SessionEnded />}
      {problem?.kind === ProblemKind.UNAVAILABLE && view.version > 0 && <Line icon="off">{messageText(problem.words)}</Line>}
      {sentence !== undefined && view.stream.kind !== "ended" && (
        <Line icon={freshness.kind === "agent-never-connected" ? "info" : "off"}>
          <WithTimes text={sentence} times={timesOf(freshness)} now={now} />
        </Line>
      )}
      {view.configurationError !== undefined && (
        <Line icon="info">
          <Configuration error={view.configurationError} />
        </Line>
      )}
      <FileNotices notices={view.notices ?? []} />
      {truncated !== undefined && <Line icon="info">{truncated}</Line>}
      <ApiErrors now={now} />
    </>
  );
}

function ApiErrors({ now }: { readonly now: number }): ReactNode {
  const { sources } = useView();
  const failing = sources.filter(isFailing);
  const first = failing[0];
  if (first === undefined) return null;
  const message = messageText(first.staleCause === StaleCause.ERROR ? first.staleWords : first.words);
  const facts = {
    kinds: namesOf(failing),
    said: message === "" ? words("banner/kinds-fail/error") : message,
    wait: first.retryAt && formatAge(now, millisOf(first.retryAt)),
  };
  const isKnown = failing.every((source) => source.settled !== SettledState.ERROR);
  return <Line icon="info">{t(isKnown ? "banner/kinds-fail" : "banner/kinds-fail/unknown", facts)}</Line>;
}

/** The commit that stays in force looks like one where it stands in the sentence. */
function Configuration({ error: { reason, lastGoodCommit } }: { readonly error: ConfigurationError }): ReactNode {
  const sentence = t("banner/configuration", { reason: reason.replace(/\.$/, ""), commit: lastGoodCommit });
  const at = lastGoodCommit === "" ? -1 : sentence.lastIndexOf(lastGoodCommit);
  if (at < 0) return sentence;
  return (
    <>
      {sentence.slice(0, at)}
      <span className="mono">{lastGoodCommit}</span>
      {sentence.slice(at + lastGoodCommit.length)}
    </>
  );
}

/** Each kind once, and of many the first. */
function namesOf(sources: readonly Source[]): Words | readonly string[] {
  const names = [...new Set(sources.map((source) => source.resource))];
  return names.length > 6 ? words("list/more", { names: names.slice(0, 6), more: names.length - 6 }) : names;
}

/** The API server answers for this kind with an error, now or since ever. */
function isFailing({ settled, staleCause }: Source): boolean {
  return staleCause === StaleCause.ERROR || (settled === SettledState.ERROR && staleCause === StaleCause.UNSPECIFIED);
}

function Line({ icon, children }: { readonly icon: "off" | "info"; readonly children: ReactNode }): ReactNode {
  return (
    <output className="banner missing">
      <Icon name={icon} />
      <span>{children}</span>
    </output>
  );
}

/** What of the environment is not shown because there is too much of it: "pods: 9,962 of 10,000 shown. …"; `undefined` when all is. */
export function truncatedWords(sources: readonly Source[]): string | undefined {
  const cut = sources.filter((source) => source.settled === SettledState.TRUNCATED);
  if (cut.length === 0) return undefined;
  const kinds = Map.groupBy(cut, (source) => source.resource);
  const named = [...kinds].slice(0, MAX_NAMED).map(([resource, each]) => countWords(resource, each));
  const more = kinds.size - named.length;
  const why = cut.map((source) => messageText(source.words).replace(/\.$/, "")).find((sentence) => sentence !== "");
  return t("banner/truncated", { kinds: more > 0 ? words("banner/truncated/more", { kinds: named, more }) : named, why });
}

/** How many there are is not always known: then there are at least those that are shown. */
function countWords(resource: string, sources: readonly Source[]): Words {
  const shown = sources.reduce((sum, source) => sum + source.shown, 0);
  const total = sources.reduce((sum, source) => sum + source.total, 0);
  const facts = { resource, shown: shown.toLocaleString("en") };
  if (total <= shown) return words("banner/truncated/kind-in-part", facts);
  return words("banner/truncated/kind", { ...facts, total: total.toLocaleString("en") });
}

/** What is wrong with the project's own file, or why it was not read: one as a line, more of them as a list that opens. */
function FileNotices({ notices }: { readonly notices: readonly SentWords[] }): ReactNode {
  const [first, ...more] = new Set(notices.map(messageText));
  if (first === undefined) return null;
  return (
    <output className="banner missing" data-file-notices={1 + more.length}>
      <Icon name="info" />
      <span className={styles["notices"]}>
        {first}
        {more.length > 0 && (
          <details>
            <summary>{t("environment/more-file-notes", { count: more.length })}</summary>
            <ul>
              {more.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </details>
        )}
      </span>
    </output>
  );
}
