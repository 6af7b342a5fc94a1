"use client";
import type { ResourceRef } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";

/** The name of what events are of: leads to its own, beside these. */
export function EventsLink(props: {
  readonly of: ResourceRef;
  readonly className: string | undefined;
  readonly title: string;
  readonly children: ReactNode;
}): ReactNode {
  const { of, className, title, children } = props;
  return (
    <StateLink change={{ sel: selectionOf(of), tab: "events" }} className={className} translate="no" title={title} opensDrawer>
      {children}
    </StateLink>
  );
}
