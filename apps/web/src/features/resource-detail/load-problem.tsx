"use client";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond } from "../../ui/format-time.ts";
import { useNow } from "../../ui/use-now.ts";
import type { RequestState } from "../queries/use-live-answer.ts";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import styles from "./drawer.module.css";

/** That the last load failed, and how old what is still shown is. Nothing while all is well. */
export function LoadProblem({
  resource,
  what,
}: {
  readonly resource: RequestState<unknown>;
  readonly what: "events" | "manifest" | "details" | "object";
}): ReactNode {
  const { problem, willRetry = false, answeredMs } = resource;
  const now = useNow(60_000);
  if (problem === undefined) return null;
  return (
    <output className={styles["problem"]}>
      {tLater(willRetry ? "resource-detail/not-loaded" : "resource-detail/cannot-be-loaded", {
        what: tLater(`resource-detail/load/${what}`),
        sentence: sentenceOf(problem),
      })}
      {answeredMs !== undefined && (
        <>
          {" "}
          {tLaterElements("resource-detail/shown-as-of", {
            at: (
              <ExactTime atMs={answeredMs} now={now}>
                {formatSecond(answeredMs, now === 0 ? answeredMs : now)}
              </ExactTime>
            ),
          })}
        </>
      )}
    </output>
  );
}

function sentenceOf(problem: string): string {
  return /[.!?]$/.test(problem) ? problem : `${problem}.`;
}
