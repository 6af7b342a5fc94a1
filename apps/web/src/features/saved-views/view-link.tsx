"use client";
import type { MouseEvent, ReactNode } from "react";
import { isPlainClick } from "../address/state-link.tsx";
import { encodeUrlState, parseUrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";

/** A state of this page as a link with a name. Its query is untrusted: it is parsed as an address of this page, and written anew. */
export function ViewLink({ name, query }: { readonly name: string; readonly query: string }): ReactNode {
  const [url, setUrl] = useUrlState();
  const state = parseUrlState(new URLSearchParams(query));
  const encoded = encodeUrlState(state);
  const go = (event: MouseEvent): void => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    setUrl(state);
  };
  return (
    <a
      href={`?${encoded}`}
      translate="no"
      title={name}
      aria-current={encoded === encodeUrlState({ ...url, at: state.at }) ? "page" : undefined}
      onClick={go}
    >
      {name}
    </a>
  );
}
