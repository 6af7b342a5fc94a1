"use client";
import type { Cause, ResourceHealth, ResourceRef, Why } from "@binnacle/proto/dashboard";
import { Presence } from "@binnacle/proto/dashboard-enums";
import { nodeIdOf, type LiveNode } from "../live/live-node.ts";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAge, formatSecond, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { tLaterElements } from "../../ui/message-elements.ts";
import { messageText, tLater } from "../../ui/messages.ts";
import { shortenEnd } from "../../ui/shorten-end.ts";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { lookOf, statusOf, wordOf } from "../live/health-status.ts";
import { hasLogs } from "../resource/has-logs.ts";
import { LogsLink, type LogsAtTime } from "../resource/logs-link.tsx";
import { iconOfKind } from "@binnacle/presentation/health/kind-words";
import { NextStep, PrecedingChange, WhyChain } from "../why/why-chain.tsx";
import chain from "../why/why.module.css";
import styles from "./drawer.module.css";
import { isClusterNode, useRefLink } from "../resource/cluster-node-link.tsx";
import { decidedBy } from "../resource/decided-by.ts";
import { linkingNodes } from "../resource/with-node-names.tsx";

/** Longest text of it, in characters: a value may be a whole sentence, which stands above already. */
const MAX_CHARS = 160;

/** How it is, why, since when, after which change, and what to do next. */
export function HealthCard({ node, departed = false }: { readonly node: LiveNode; readonly departed?: boolean }): ReactNode {
  const { health } = node;
  const hidden = node.presence === Presence.NOT_VISIBLE;
  const status = statusOf(node);
  const look: StateLook = hidden ? "locked" : departed ? "neutral" : lookOf(status);
  const why = health?.why;
  const message = messageText(health?.words);
  const rootMessage = isShownAbove(why, health) ? "" : messageText(why?.words);
  const sentences = sentencesOf(rootMessage, message);
  const draw = linkingNodes(nodeNamesOf(node));
  return (
    <section className={`${styles["cause"]} ${look}`} aria-label={tLater("ui/health")}>
      <div className="row">
        <span className={`st ${look}`}>
          <StateGlyph look={look} />
          {hidden ? tLater("ui/not-visible") : departed ? tLater("resource-detail/deleted") : wordOf(status)}
        </span>
        {!departed && <Since node={node} />}
      </div>
      {node.presence === Presence.MISSING && <p>{tLater("resource-detail/referred-but-missing")}</p>}
      {hidden && <p>{tLater("resource-detail/existence-not-known")}</p>}
      {departed && status !== undefined && <p className="muted">{tLater("drawer/ended", { status: wordOf(status) })}</p>}
      {sentences.map((sentence, index) => (
        <div key={sentence} className={index === 0 ? undefined : "muted"}>
          <LongText text={sentence} draw={draw} />
        </div>
      ))}
      {health !== undefined && <DecidedByLine health={health} />}
      {health?.stale === true && <p className="muted">{tLater("resource-detail/slow")}</p>}
      {why === undefined ? (
        health !== undefined && health.causes.length > 0 && <Causes causes={health.causes} more={health.moreCauses} />
      ) : (
        <>
          {why.chain.length > 1 && <WhyChain why={why} />}
          <NextStep text={messageText(why.next)} draw={draw} />
          <PrecedingChange why={why} />
          <LogsLink {...logsOfWhy(why)} />
        </>
      )}
    </section>
  );
}

/** The log nearest to the root reason, and when that was: of a container where the reason is one's own. Nothing where no link has a log. */
export function logsOfWhy({ chain, firstBadAt }: Why): LogsAtTime {
  const link = chain.findLast(({ ref }) => ref !== undefined && hasLogs(ref));
  const at = link?.since ?? firstBadAt;
  return { of: link?.ref, atMs: at && millisOf(at), container: link?.container ?? "" };
}

/** Names of Nodes that its sentences may have: the one that a pod is on, and the one that is to blame. */
function nodeNamesOf({ nodeName, health }: LiveNode): readonly string[] {
  const blamed = (health?.why?.chain ?? []).flatMap(({ ref }) => (ref !== undefined && isClusterNode(ref) ? [ref.name] : []));
  return [...new Set([nodeName, ...blamed])].filter((name) => name !== "");
}

/** Whether the root reason only repeats the verdict and what decided on it. */
function isShownAbove(why: Why | undefined, health: ResourceHealth | undefined): boolean {
  if (why === undefined) return false;
  const { chain, words } = why;
  return chain.length === 1 && health?.because !== undefined && health.rule === "" && words?.id.startsWith("resource/") === true;
}

/** Since when it has its status; and since when something along the chain was bad, where that is another time. */
function Since({ node }: { readonly node: LiveNode }): ReactNode {
  const now = useNow(10_000);
  const { health } = node;
  const sinceMs = health?.since === undefined ? undefined : millisOf(health.since);
  const firstMs = health?.why?.firstBadAt === undefined ? undefined : millisOf(health.why.firstBadAt);
  const shownMs = sinceMs ?? firstMs;
  if (shownMs === undefined) return null;
  const since = (
    <ExactTime atMs={shownMs} now={now}>
      {tLater("resource-detail/since", { at: formatSecond(shownMs, now), age: formatAge(shownMs, now) })}
    </ExactTime>
  );
  if (firstMs === undefined || sinceMs === undefined || Math.abs(firstMs - sinceMs) < 1000)
    return <span className="muted num">{since}</span>;
  const firstBad = (
    <ExactTime atMs={firstMs} now={now}>
      {tLater("resource-detail/first-bad", { at: formatSecond(firstMs, now) })}
    </ExactTime>
  );
  return <span className="muted num">{tLaterElements("resource-detail/since-and-first-bad", { since, firstBad })}</span>;
}

/** Causes without a chain: a server that does not know why. */
function Causes({ causes, more }: { readonly causes: readonly Cause[]; readonly more: number }): ReactNode {
  return (
    <ol className={chain["chain"]}>
      {causes.map((cause, index) => {
        const last = index === causes.length - 1;
        return (
          <li
            key={`${cause.ref && nodeIdOf(cause.ref)} ${cause.reason}`}
            className={`${lookOf(cause.status)} ${last ? chain["root"] : ""}`}
          >
            {last ? <StateGlyph look={lookOf(cause.status)} size={14} /> : <Icon name={iconOfKind(cause.ref?.kind ?? "")} size={14} />}
            <CauseName target={cause.ref} />
            <span className={chain["reason"]} title={messageText(cause.words)}>
              {cause.reason}
            </span>
          </li>
        );
      })}
      {more > 0 && <li className="muted">{tLater("resource-detail/more-listed", { more })}</li>}
    </ol>
  );
}

function CauseName({ target }: { readonly target: ResourceRef | undefined }): ReactNode {
  return useRefLink(target) ?? <span>{target?.name}</span>;
}

/** What decided on a status: a rule of the user's, or what was seen in the resource. Nothing where the verdict says so itself. */
function DecidedByLine({ health }: { readonly health: Pick<ResourceHealth, "because" | "words" | "rule"> }): ReactNode {
  const seen = decidedBy(health);
  if (health.rule !== "")
    return (
      <p className="muted">
        {tLater("resource-detail/judged-by-rule")} <span className="mono">{health.rule}</span>
      </p>
    );
  if (seen === "") return null;
  return (
    <p className="muted" title={seen.length > MAX_CHARS ? seen : undefined} data-decided-by="">
      {tLater("resource-detail/decided-by", { shortenEnd: shortenEnd(seen, MAX_CHARS) })}
    </p>
  );
}

/**
 * The sentences about a resource's health: the sentence that explains it, then what its verdict says beyond that. One that only repeats the other,
 * but for its case and its end, or says a part of it, is left out.
 */
export function sentencesOf(why: string, verdict: string): readonly string[] {
  const [whyText, verdictText] = [plain(why), plain(verdict)];
  if (whyText === "" || verdictText.includes(whyText)) return verdictText === "" ? [] : [verdict];
  return verdictText === "" || whyText.includes(verdictText) ? [why] : [why, verdict];
}

function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[.;:]$/, "")
    .toLowerCase();
}
