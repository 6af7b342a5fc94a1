"use client";
import type { MouseEvent, ReactNode } from "react";
import { encodeUrlState, type UrlState } from "./url-state.ts";
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
  readonly children: ReactNode;
}): ReactNode {
  const { change, className, title, tabIndex, translate, opensDrawer = false, children } = props;
  const [url, setUrl] = useUrlState();
  return (
    <a
      href={`?${encodeUrlState({ ...url, ...change })}`}
      className={className}
      title={title}
      tabIndex={tabIndex}
      translate={translate}
      {...(opensDrawer ? { "aria-haspopup": "dialog" as const } : {})}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
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
