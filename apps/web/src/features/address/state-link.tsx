"use client";
import type { MouseEvent, ReactNode } from "react";
import { changedUrlState, encodeUrlState, type UrlState } from "./url-state.ts";
import { useUrlState } from "./use-url-state.ts";

/** A link to this page in another state: a press goes there without a request, a new tab, a copied address and a middle click do as with any. */
export function StateLink(props: {
  readonly change: Partial<UrlState>;
  readonly className?: string | undefined;
  readonly title?: string;
  readonly tabIndex?: number;
  /** "no" where it is a name. */
  readonly translate?: "no";
  readonly opensDrawer?: boolean;
  readonly inNewTab?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const { change, className, title, tabIndex, translate, opensDrawer = false, inNewTab = false, children } = props;
  const [url, setUrl] = useUrlState();
  return (
    <a
      href={`?${encodeUrlState(changedUrlState(url, change))}`}
      className={className}
      title={title}
      tabIndex={tabIndex}
      translate={translate}
      {...(inNewTab ? { target: "_blank", rel: "noopener" } : {})}
      {...(opensDrawer ? { "aria-haspopup": "dialog" as const } : {})}
      onClick={(event) => {
        if (inNewTab || !isPlainClick(event)) return;
        event.preventDefault();
        setUrl(change);
      }}
    >
      {children}
    </a>
  );
}

/** Whether a press on a link asks for the page itself to go there, and not for a tab, a window or a file. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}
