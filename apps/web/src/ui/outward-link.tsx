import type { ReactNode } from "react";
import { say } from "./said.ts";

/** A link out of the dashboard, in another tab; its text alone where there is no web address. */
export function OutwardLink(props: { readonly url: string; readonly title?: string; readonly children: ReactNode }): ReactNode {
  const { url, title, children } = props;
  if (!/^https?:\/\//.test(url)) return <span title={title}>{children}</span>;
  return (
    <a href={url} title={title} rel="noreferrer noopener" target="_blank">
      {children}
      <span className="visually-hidden"> {say("ui/opens-in-new")}</span>
    </a>
  );
}
