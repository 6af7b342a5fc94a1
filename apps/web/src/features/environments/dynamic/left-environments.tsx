"use client";
import { Fragment, type ReactNode } from "react";
import { Ago } from "../../../ui/ago.tsx";
import { tElements } from "../../../ui/message-elements.ts";
import { useNow } from "../../../ui/use-now.ts";
import { SHOWN_MS, type Departure } from "./departures.ts";

const MAX_NAMED = 3;

/** Which environments have left the list in the last minutes; nothing when none has. */
export function LeftEnvironments({ left }: { readonly left: readonly Departure[] }): ReactNode {
  const now = useNow(10_000);
  const recent = left.filter(({ atMs }) => now - atMs < SHOWN_MS);
  if (now === 0 || recent.length === 0) return undefined;
  const named = recent.slice(0, MAX_NAMED);
  const more = recent.length - named.length;
  const names = named.map((each, index) => (
    <Fragment key={each.name}>
      {index > 0 && ", "}
      {tElements(each.wasStopping ? "dynamic/left-stopped" : "dynamic/left-gone", {
        name: <span translate="no">{each.name}</span>,
        ago: <Ago atMs={each.atMs} now={now} />,
      })}
    </Fragment>
  ));
  return <span data-left={recent.length}>{tElements("dynamic/left", { names: <>{names}</>, more: more > 0 ? more : undefined })}</span>;
}
