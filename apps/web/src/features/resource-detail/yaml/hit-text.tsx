import { visibleText } from "@binnacle/words";
import { Fragment, type ReactNode } from "react";
import type { Hits } from "./find-in-text.ts";

/** A part of a text with the hits in it marked, and its invisible characters. @param props.start where it begins in the text that was looked through */
export function HitText(props: { readonly text: string; readonly start: number; readonly hits: Hits; readonly at: number }): ReactNode {
  const { text, start, hits, at } = props;
  const inside = hits.spans
    .map((span, index) => ({ from: span.from - start, to: span.to - start, isAt: index === at }))
    .filter(({ from, to }) => from >= 0 && to <= text.length);
  const ends = [0, ...inside.map(({ to }) => to)];
  return (
    <>
      {inside.map(({ from, to, isAt }, index) => (
        <Fragment key={from}>
          {visibleText(text.slice(ends[index], from))}
          <mark data-at={isAt ? "" : undefined}>{visibleText(text.slice(from, to))}</mark>
        </Fragment>
      ))}
      {visibleText(text.slice(ends.at(-1)))}
    </>
  );
}
