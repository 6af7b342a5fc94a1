import type { ReactNode } from "react";

const PATHS = {
  ing: <path d="M1.5 8h7.5M6.5 5.5L9 8l-2.5 2.5M12 2.5v11" />,
  svc: (
    <>
      <circle cx="3" cy="8" r="1.5" />
      <circle cx="13" cy="3.5" r="1.5" />
      <circle cx="13" cy="12.5" r="1.5" />
      <path d="M4.5 8h2.5l4.5-4.5M7 8l4.5 4.5" />
    </>
  ),
  deploy: <path d="M8 1.75L14 5 8 8.25 2 5zM2 8l6 3.25L14 8M2 11l6 3.25L14 11" />,
  sts: (
    <>
      <rect x="2" y="2" width="12" height="3.25" rx="1" />
      <rect x="2" y="6.4" width="12" height="3.25" rx="1" />
      <rect x="2" y="10.8" width="12" height="3.25" rx="1" />
    </>
  ),
  ds: (
    <>
      <rect x="2" y="2" width="5" height="5" rx="1" />
      <rect x="9" y="2" width="5" height="5" rx="1" />
      <rect x="2" y="9" width="5" height="5" rx="1" />
      <rect x="9" y="9" width="5" height="5" rx="1" />
    </>
  ),
  rs: (
    <>
      <rect x="5.5" y="5.5" width="8.5" height="8.5" rx="1.5" />
      <path d="M3.5 10.5H3A1 1 0 0 1 2 9.5V3a1 1 0 0 1 1-1h6.5a1 1 0 0 1 1 1v.5" />
    </>
  ),
  po: <path d="M8 1.5l5.75 3.25v6.5L8 14.5l-5.75-3.25v-6.5zM2.25 4.75L8 8l5.75-3.25M8 8v6.5" />,
  cm: (
    <>
      <rect x="2.5" y="1.75" width="11" height="12.5" rx="1.5" />
      <path d="M5.25 5.25h5.5M5.25 8h5.5M5.25 10.75h3" />
    </>
  ),
  secret: (
    <>
      <circle cx="5" cy="8" r="3" />
      <path d="M8 8h6.25v2.5M11.5 8v2" />
    </>
  ),
  pvc: (
    <>
      <ellipse cx="8" cy="3.75" rx="5.5" ry="2" />
      <path d="M2.5 3.75v8.5c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2v-8.5M2.5 8c0 1.1 2.5 2 5.5 2s5.5-.9 5.5-2" />
    </>
  ),
  hpa: <path d="M1.75 8h12.5M4.25 5.5L1.75 8l2.5 2.5M11.75 5.5l2.5 2.5-2.5 2.5M8 3v10" />,
  cron: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 4.5V8l2.5 1.75" />
    </>
  ),
  job: <path d="M3 2.5h10v11H3zM5.5 8.25l1.75 1.75 3.25-3.75" />,
  eps: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 1.75v4M8 10.25v4M1.75 8h4M10.25 8h4" />
    </>
  ),
  shield: <path d="M8 1.75l5 1.75v4.25c0 3-2 5.25-5 6.5-3-1.25-5-3.5-5-6.5V3.5z" />,
  person: (
    <>
      <circle cx="8" cy="5.25" r="2.75" />
      <path d="M2.75 14c.5-3 2.5-4.5 5.25-4.5s4.75 1.5 5.25 4.5" />
    </>
  ),
  custom: <path d="M8 1.75L14.25 8 8 14.25 1.75 8zM8 5.5L10.5 8 8 10.5 5.5 8z" />,
  env: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M10.75 5.25L9 9l-3.75 1.75L7 7z" />
    </>
  ),
  container: <path d="M2.5 4.5h11v7h-11zM5.25 6.75v2.5M8 6.75v2.5M10.75 6.75v2.5" />,
  event: <path d="M8.75 1.75L3.5 9h4l-.75 5.25L12.5 7h-4z" />,
  node: <path d="M2.25 2.5h11.5v4.75H2.25zM2.25 8.75h11.5v4.75H2.25zM4.75 4.9h.5M4.75 11.1h.5M8 4.9h3.25M8 11.1h3.25" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="M10.5 10.5L14 14" />
    </>
  ),
  down: <path d="M4 6l4 4 4-4" />,
  right: <path d="M6 4l4 4-4 4" />,
  up: <path d="M4 10l4-4 4 4" />,
  x: <path d="M4 4l8 8M12 4l-8 8" />,
  plus: <path d="M8 3v10M3 8h10" />,
  minus: <path d="M3 8h10" />,
  fit: <path d="M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5" />,
  ext: <path d="M9.5 2.5h4v4M13.5 2.5l-6 6M11.5 9.5v4h-9v-9h4" />,
  link: <path d="M6.5 9.5l3-3M7.5 4.5l1.75-1.75a2.8 2.8 0 0 1 4 4L11.5 8.5M8.5 11.5l-1.75 1.75a2.8 2.8 0 0 1-4-4L4.5 7.5" />,
  graph: <path d="M1.75 5.5h4v5h-4zM10.25 1.75h4v4h-4zM10.25 10.25h4v4h-4zM5.75 8h2.5M8.25 3.75v8.5M8.25 3.75h2M8.25 12.25h2" />,
  tree: <path d="M2.5 3h4M2.5 3v9.5h4M2.5 8h4M9 3h4.5M9 8h4.5M9 12.5h4.5" />,
  check: <path d="M3 8.5l3.25 3.25L13 4.75" />,
  off: <path d="M2 2l12 12M4.2 9.8a3 3 0 0 1 .6-4.9M6.5 3.2A4 4 0 0 1 12 6.5a2.7 2.7 0 0 1 1.6 4.2M5 11.5h5.5" />,
  info: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 7.25v3.5M8 5v.01" />
    </>
  ),
  sync: <path d="M13.5 6.5A5.75 5.75 0 0 0 3 5M2.5 9.5A5.75 5.75 0 0 0 13 11M3 2v3h3M13 14v-3h-3" />,
  copy: <path d="M5.5 5.5h8v8h-8zM2.5 10.5v-8h8" />,
  hold: <path d="M5.5 3.5v9M10.5 3.5v9" />,
  resume: <path d="M5 3.25l7.5 4.75L5 12.75z" />,
  star: <path d="M8 1.9l1.9 3.85 4.25.6-3.1 3 .75 4.25L8 11.6l-3.8 2 .75-4.25-3.1-3 4.25-.6z" />,
  bookmark: <path d="M4 2.25h8v11.5L8 10.75l-4 3z" />,
  save: <path d="M8 2.5v7.75M4.75 7L8 10.25 11.25 7M2.5 13.5h11" />,
  theme: (
    <>
      <circle cx="8" cy="8" r="6" />
      <path d="M8 2v12a6 6 0 0 0 0-12z" fill="currentColor" />
    </>
  ),
} as const satisfies Record<string, ReactNode>;

/** Name of an icon of the set. */
export type IconName = keyof typeof PATHS;

/** A 16 px line icon, hidden from assistive technology: the words beside it carry the meaning. */
export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: 12 | 14 | 16 | 20 }): ReactNode {
  return (
    <svg className={size === 16 ? "i" : `i i${size}`} viewBox="0 0 16 16" aria-hidden="true">
      {PATHS[name]}
    </svg>
  );
}

/** The mark of the product. */
export function Mark(): ReactNode {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 21.5l1.5-4h11l1.5 4z" fill="var(--ink)" />
      <circle cx="12" cy="10" r="8.25" fill="none" stroke="var(--ink)" strokeWidth="1.75" />
      <path d="M15.6 6.2l-2 5.2-5.2 2.4 2-5.2z" fill="var(--accent)" />
      <circle cx="12" cy="10" r="1.1" fill="var(--surface)" />
    </svg>
  );
}
