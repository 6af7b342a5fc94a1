import type { ReactNode } from "react";
import { ExactTime } from "./exact-time.tsx";
import { formatAbsolute, formatClock, formatSecond } from "./format-time.ts";

/**
 * A sentence that names times, as `formatAbsolute`, `formatSecond` or `formatClock` writes them: each of them is one for machines too, and whole on hover.
 *
 * @param props.times those that the sentence may name, in milliseconds since the epoch; what it does not name is passed over
 * @param props.now milliseconds since the epoch; 0 in HTML
 */
export function WithTimes(props: {
  readonly text: string;
  readonly times: readonly (number | undefined)[];
  readonly now: number;
  /** Draws what stands between them; absent: as text. */
  readonly draw?: (between: string) => ReactNode;
}): ReactNode {
  const { text, times, now, draw = asText } = props;
  for (const [index, atMs] of times.entries()) {
    if (atMs === undefined || Number.isNaN(new Date(atMs).getTime())) continue;
    const written = [formatAbsolute(atMs, now), formatSecond(atMs, now), formatClock(atMs, now)].find((each) => text.includes(each));
    if (written === undefined) continue;
    const at = text.indexOf(written);
    const others = times.slice(index + 1);
    return (
      <>
        <WithTimes text={text.slice(0, at)} times={others} now={now} draw={draw} />
        <ExactTime atMs={atMs} now={now}>
          {written}
        </ExactTime>
        <WithTimes text={text.slice(at + written.length)} times={others} now={now} draw={draw} />
      </>
    );
  }
  return draw(text);
}

function asText(between: string): ReactNode {
  return between;
}
