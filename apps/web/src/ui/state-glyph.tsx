import type { StateLook } from "@binnacle/presentation/health/health-status";
import type { ReactNode } from "react";

export type { StateLook };

const CUT = { fill: "none", stroke: "var(--glyph-cut)", strokeWidth: 1.8, strokeLinecap: "round", strokeLinejoin: "round" } as const;

const SHAPES: Record<StateLook, ReactNode> = {
  healthy: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M4.9 8.3l2.1 2.1 4.1-4.7" {...CUT} />
    </>
  ),
  progressing: (
    <>
      <circle cx="8" cy="8" r="5.75" fill="none" stroke="currentColor" strokeOpacity=".25" strokeWidth="2.5" />
      <path d="M8 2.25A5.75 5.75 0 1 1 2.25 8" fill="none" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
    </>
  ),
  degraded: (
    <>
      <path d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z" fill="currentColor" />
      <path d="M5.6 5.6l4.8 4.8m0-4.8l-4.8 4.8" {...CUT} />
    </>
  ),
  suspended: (
    <>
      <rect x="3.5" y="2.5" width="3.25" height="11" rx="1" fill="currentColor" />
      <rect x="9.25" y="2.5" width="3.25" height="11" rx="1" fill="currentColor" />
    </>
  ),
  missing: (
    <>
      <path
        d="M2.75 13.75V7.2a5.25 5.25 0 0 1 10.5 0v6.55l-1.75-1.2-1.75 1.2L8 12.55l-1.75 1.2-1.75-1.2z"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray="2.2 1.5"
      />
      <circle cx="6.1" cy="7.2" r="1" fill="currentColor" />
      <circle cx="9.9" cy="7.2" r="1" fill="currentColor" />
    </>
  ),
  unknown: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path
        d="M6.1 6.4a1.95 1.95 0 1 1 2.7 1.8c-.5.25-.8.6-.8 1.2"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
      <circle cx="8" cy="11.4" r=".9" fill="currentColor" />
    </>
  ),
  locked: (
    <>
      <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
      <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </>
  ),
  neutral: <circle cx="8" cy="8" r="2" fill="currentColor" />,
};

/** The shape of a state. Hidden from assistive technology: the word beside it says the state. */
export function StateGlyph({ look, size = 16 }: { readonly look: StateLook; readonly size?: 12 | 14 | 16 | 24 }): ReactNode {
  const spin = look === "progressing" ? " spin" : "";
  return (
    <svg className={`g${size === 16 ? "" : ` g${size}`} ${look}${spin}`} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[look]}
    </svg>
  );
}
