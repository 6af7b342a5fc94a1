"use client";
import type { ReactNode } from "react";
import { usePrinting } from "../../ui/use-printing.ts";
import { useUnfolded } from "./use-unfolded.ts";

/** A part of the summary that is folded, and unfolded by the address (`useUnfolded`) and on paper; what React has not opened it would not close. */
export function Unfoldable(props: {
  /** What it is called in the address. */
  readonly name: string;
  readonly className: string | undefined;
  readonly summary: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const { name, className, summary, children } = props;
  const [isOpen, setOpen] = useUnfolded(name);
  const isPrinting = usePrinting();
  return (
    <details className={className} open={isOpen || isPrinting}>
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
