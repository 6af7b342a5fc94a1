"use client";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond } from "../../ui/format-time.ts";
import { useNow } from "../../ui/use-now.ts";
import type { AskedState } from "../asked/use-live-answer.ts";
import styles from "./drawer.module.css";

/** That the last load failed, and how old what is still shown is. Nothing while all is well. */
export function LoadProblem({ resource, what }: { readonly resource: AskedState<unknown>; readonly what: string }): ReactNode {
  const { problem, answeredMs } = resource;
  const now = useNow(60_000);
  if (problem === undefined) return null;
  return (
    <output className={styles["problem"]}>
      The {what} could not be loaded: {sentenceOf(problem)} Binnacle tries again by itself.
      {answeredMs !== undefined && (
        <>
          {" "}
          Shown as of{" "}
          <ExactTime atMs={answeredMs} now={now}>
            {formatSecond(answeredMs, now === 0 ? answeredMs : now)}
          </ExactTime>
          .
        </>
      )}
    </output>
  );
}

function sentenceOf(problem: string): string {
  return /[.!?]$/.test(problem) ? problem : `${problem}.`;
}
