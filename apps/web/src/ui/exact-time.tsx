import type { ReactNode } from "react";
import { formatAbsolute } from "./format-time.ts";

/**
 * A time in whatever words, with the whole of it for machines and, while a pointer rests on it, for people: day, second and zone.
 *
 * @param props.now milliseconds since the epoch; 0 in HTML, because time and zone of reading are unknown
 */
export function ExactTime(props: { readonly atMs: number; readonly now: number; readonly children: ReactNode }): ReactNode {
  const { atMs, now, children } = props;
  // A cluster that lies sends times that no calendar has.
  if (Number.isNaN(new Date(atMs).getTime())) return <time>{children}</time>;
  return (
    <time dateTime={new Date(atMs).toISOString()} title={formatAbsolute(atMs, now)}>
      {children}
    </time>
  );
}
