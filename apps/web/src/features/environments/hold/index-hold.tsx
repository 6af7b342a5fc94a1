"use client";
import { Suspense, type ReactNode } from "react";
import { formatSecond } from "../../../ui/format-time.ts";
import { Icon } from "../../../ui/icon.tsx";
import { sayLater } from "../../../ui/said.ts";
import { Tip } from "../../../ui/tip.tsx";
import { useNow } from "../../../ui/use-now.ts";
import styles from "../../hold/hold.module.css";
import { useHeldTitle } from "../../hold/use-held-title.ts";
import type { IndexHold } from "./use-index-hold.ts";

interface Held {
  readonly hold: IndexHold;
}

/** Holds the index while one reads, and lets it go on. */
export function IndexHoldButton({ isHeld, toggle }: { readonly isHeld: boolean; readonly toggle: () => void }): ReactNode {
  return (
    <Tip text={sayLater(isHeld ? "hold/go-on" : "hold/keep-picture-as")}>
      <button type="button" className="btn ghost sm" aria-pressed={isHeld} onClick={toggle}>
        <Icon name={isHeld ? "resume" : "hold"} size={14} />
        <span>{sayLater("hold/hold")}</span>
      </button>
    </Tip>
  );
}

/** That the index is held, since when and how much waits. */
export function IndexHoldBanner({ hold, toggle }: Held & { readonly toggle: () => void }): ReactNode {
  useHeldTitle(true);
  return (
    <Suspense>
      <div className={`banner suspended ${styles["held"]}`} data-held={hold.waiting}>
        <Icon name="hold" />
        <Words hold={hold} />
        <button type="button" className="btn sm" onClick={toggle}>
          {sayLater("hold/go-on")}
        </button>
      </div>
    </Suspense>
  );
}

function Words({ hold: { sinceMs, waiting, lost } }: Held): ReactNode {
  const at = formatSecond(sinceMs, useNow(60_000));
  const words = [sayLater(waiting === 0 ? "hold/none" : "hold/since", { at, count: waiting }), ...(lost ? [sayLater("hold/lost")] : [])];
  return (
    <>
      <p className="grow num">{words.join(" ")}</p>
      {/* Said once: a count that goes on would never let a reader finish. */}
      <output className="visually-hidden">{sayLater("hold/began", { at })}</output>
    </>
  );
}

/** "As of 12:31:20, held": what stands beside is of then. */
export function HeldAt({ hold: { sinceMs } }: Held): ReactNode {
  return (
    <Suspense>
      <At atMs={sinceMs} />
    </Suspense>
  );
}

function At({ atMs }: { readonly atMs: number }): ReactNode {
  return sayLater("hold/as-of", { at: formatSecond(atMs, useNow(60_000)) });
}
