/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import type { ReactNode } from "react";
import { MultiChoice } from "../../ui/multi-choice.tsx";
import { tLater } from "../../ui/messages.ts";
import { useUrlState } from "../address/use-url-state.ts";
import bar from "../filter/filter-bar.module.css";
import { SearchField } from "../filter/search-field.tsx";
import type { EventFacets } from "./event-groups.ts";

const TYPES = [
  { type: "", words: "ui/all-option" },
  { type: "Warning", words: "events/type/warning" },
  { type: "Normal", words: "events/type/normal" },
] as const;
const ORDERS = [
  { order: "", words: "ui/newest-first" },
  { order: "warnings", words: "events/order/warnings" },
] as const;

/** What of the events is shown, and in which order; it lives in the address. */
export function EventsBar({ facets, children }: { readonly facets: EventFacets; readonly children: ReactNode }): ReactNode {
  const [url, setUrl] = useUrlState();
  return (
    <search className={bar["bar"]} aria-label={tLater("events/filter/search")}>
      <SearchField label={tLater("events/filter/search")} value={url.q} onChange={(q) => setUrl({ q }, "replace")} />
      <span className="seg" role="group" aria-label={tLater("detail/type")}>
        {TYPES.map(({ type, words }) => (
          <button key={type} type="button" aria-pressed={url.type === type} onClick={() => setUrl({ type })}>
            {tLater(words)}
            {type === "Warning" && facets.warnings > 0 && <span className="count num">{facets.warnings}</span>}
          </button>
        ))}
      </span>
      <MultiChoice label={tLater("ui/reason")} options={facets.reasons} chosen={url.reasons} onChange={(reasons) => setUrl({ reasons })} />
      <MultiChoice label={tLater("ui/kind")} options={facets.kinds} chosen={url.kinds} onChange={(kinds) => setUrl({ kinds })} />
      {facets.namespaces.length > 1 && (
        <MultiChoice
          label={tLater("ui/namespace")}
          options={facets.namespaces}
          chosen={url.namespaces}
          onChange={(namespaces) => setUrl({ namespaces })}
        />
      )}
      <span className="seg" role="group" aria-label={tLater("ui/order")}>
        {ORDERS.map(({ order, words }) => (
          <button key={order} type="button" aria-pressed={url.order === order} onClick={() => setUrl({ order })}>
            {tLater(words)}
          </button>
        ))}
      </span>
      <span className="grow" />
      {children}
    </search>
  );
}
