"use client";
import { Presence, type Cause, type Node } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { formatAbsolute, formatAge, formatSecond, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { lookOf, statusOf, wordOf } from "../live/health-status.ts";
import { iconOfKind } from "../resource/kind-words.ts";
import { NextStep, PrecedingChange, WhyChain } from "../why/why-chain.tsx";
import chain from "../why/why.module.css";
import styles from "./drawer.module.css";
import { NodeLink } from "./node-link.tsx";

/** How it is, why, since when, after which change, and what to do next. */
export function HealthCard({ node }: { readonly node: Node }): ReactNode {
  const { health } = node;
  const hidden = node.presence === Presence.NOT_VISIBLE;
  const status = statusOf(node);
  const look: StateLook = hidden ? "locked" : lookOf(status);
  const why = health?.why;
  return (
    <section className={`${styles["cause"]} ${look}`} aria-label="Health">
      <div className="row">
        <span className={`st ${look}`}>
          <StateGlyph look={look} />
          {hidden ? "Not visible to you" : wordOf(status)}
        </span>
        <Since node={node} />
      </div>
      {node.presence === Presence.MISSING && <p>It is referred to, but it does not exist.</p>}
      {hidden && <p>Another resource refers to it. Whether it exists is not known: you may not see this kind.</p>}
      {health !== undefined && health.message !== "" && <LongText text={health.message} />}
      {health?.stale === true && <p className="muted">This takes longer than usual.</p>}
      {why === undefined ? (
        health !== undefined && health.causes.length > 0 && <Causes causes={health.causes} />
      ) : (
        <>
          {why.chain.length > 1 && <WhyChain why={why} />}
          {why.message !== "" && why.message !== health?.message && <LongText text={why.message} />}
          <NextStep text={why.nextStep} />
          <PrecedingChange why={why} />
        </>
      )}
      {health !== undefined && health.rule !== "" && (
        <p className="muted">
          Judged by a rule of yours: <span className="mono">{health.rule}</span>
        </p>
      )}
    </section>
  );
}

/** Since when it has its status; and since when something along the chain was bad, where that is another time. */
function Since({ node }: { readonly node: Node }): ReactNode {
  const now = useNow(10_000);
  const { health } = node;
  const sinceMs = health?.since === undefined ? undefined : millisOf(health.since);
  const firstMs = health?.why?.firstBadAt === undefined ? undefined : millisOf(health.why.firstBadAt);
  const shownMs = sinceMs ?? firstMs;
  if (shownMs === undefined) return null;
  return (
    <span className="muted num">
      <time title={formatAbsolute(shownMs)}>
        since {formatSecond(shownMs, now)}, {formatAge(shownMs, now)}
      </time>
      {firstMs !== undefined && sinceMs !== undefined && Math.abs(firstMs - sinceMs) >= 1000 && (
        <time title={formatAbsolute(firstMs)}>; first bad {formatSecond(firstMs, now)}</time>
      )}
    </span>
  );
}

/** Causes without a chain: a server that does not know why. */
function Causes({ causes }: { readonly causes: readonly Cause[] }): ReactNode {
  const store = useEnvironmentStore();
  return (
    <ol className={chain["chain"]}>
      {causes.map((cause, index) => {
        const last = index === causes.length - 1;
        const target = cause.nodeId === "" ? undefined : store.node(cause.nodeId);
        return (
          <li key={`${cause.nodeId}${cause.ref?.name}${cause.reason}`} className={`${lookOf(cause.status)} ${last ? chain["root"] : ""}`}>
            {last ? <StateGlyph look={lookOf(cause.status)} size={14} /> : <Icon name={iconOfKind(cause.ref?.kind ?? "")} size={14} />}
            {target === undefined ? <span>{cause.ref?.name}</span> : <NodeLink node={target} />}
            <span className={chain["reason"]} title={cause.message}>
              {cause.reason}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
