import type { ReactNode } from "react";
import { t } from "./messages.ts";
import { isWebAddress } from "./web-address.ts";

/** A link out of the dashboard, in another tab; its text alone where there is no web address. */
export function OutwardLink(props: {
  readonly url: string;
  readonly title?: string;
  /** "no" where it is a name. */
  readonly translate?: "no";
  readonly children: ReactNode;
}): ReactNode {
  const { url, title, translate, children } = props;
  if (!isWebAddress(url))
    return (
      <span title={title} translate={translate}>
        {children}
      </span>
    );
  return (
    <a href={url} title={title} translate={translate} rel="noreferrer noopener" target="_blank">
      {children}
      <span className="visually-hidden"> {t("ui/opens-in-new")}</span>
    </a>
  );
}
