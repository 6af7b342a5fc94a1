import type { GetMetricsResponse } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { messageText, tLater } from "../../ui/messages.ts";
import { spanOf } from "./metric-figures.ts";

/** Who has measured, of when, and what could not be had: one line. */
export function MetricsSource({ answer }: { readonly answer: GetMetricsResponse }): ReactNode {
  const { words, service, metrics } = answer;
  const partly = metrics.find((metric) => metric.words !== undefined)?.words;
  return (
    <>
      {words === undefined ? tLater("metrics/source", { service, span: spanOf(answer) }) : messageText(words)}
      {partly !== undefined && `. ${tLater("metrics/partly", { said: messageText(partly) })}`}
    </>
  );
}
