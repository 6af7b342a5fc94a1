"use client";
import { SettledState } from "@binnacle/proto/dashboard-enums";
import { useEffect, useState, type ReactNode } from "react";
import { useView } from "../live/environment-context.tsx";
import { isWhole } from "../live/is-whole.ts";
import { say } from "../../ui/said.ts";
import { sayWith } from "../../ui/say-with.ts";
import styles from "./environment.module.css";

const SLOW_AFTER_MS = 5000;

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
      {sayWith("environment/everything-else-shown", {
        slice: (
          <b className="b">
            {say("environment/still-loading", {
              names: names.slice(0, 4).join(", "),
              count: names.length > 4 ? names.length - 4 : undefined,
            })}
          </b>
        ),
      })}
    </output>
  );
}
