"use client";
import type { ReactNode } from "react";
import { useUnfolded } from "./use-unfolded.ts";

/** A part of the summary that is folded, and unfolded by the address (`useUnfolded`); what React has not opened it would not close. */
export function Unfoldable(props: {
  /** What it is called in the address. */
  readonly name: string;
  readonly className: string | undefined;
  readonly summary: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { name, className, summary, children } = props;
  const [isOpen, setOpen] = useUnfolded(name);
  return (
    <details className={className} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          setOpen(!isOpen);
        }}
      >
        {summary}
      </summary>
      {children}
    </details>
  );
}
