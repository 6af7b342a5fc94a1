import Link from "next/link";
import type { ReactNode } from "react";
import styles from "./app-bar.module.css";
import { Mark } from "./icon.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { ThemeToggle } from "./theme-toggle.tsx";
import { t } from "./messages.ts";
import { SkipLink } from "./skip-link.tsx";

/** One step of the way to the page; the last has no address. */
export interface Crumb {
  readonly text: string;
  readonly href?: string;
  /** It is the name of something, not a word of ours. */
  readonly isName?: boolean;
}

/** The bar above every page: product, where one is, and, as `children`, who one is. */
export function AppBar({ crumbs, children }: { readonly crumbs: readonly Crumb[]; readonly children?: ReactNode }): ReactNode {
  return (
    <header className={styles["bar"]}>
      <SkipLink className={styles["skip"]} />
      <Link className={styles["brand"]} href="/" translate="no">
        <Mark />
        Binnacle
      </Link>
      {crumbs.length > 0 && (
        <nav className={styles["crumbs"]} aria-label={t("ui/breadcrumb")}>
          <ol>
            {crumbs.map((crumb, index) => (
              <li key={`${index}-${crumb.text}`} translate={crumb.isName === true ? "no" : undefined}>
                {crumb.href === undefined ? (
                  <span {...(index === crumbs.length - 1 ? { "aria-current": "page" as const } : {})}>{crumb.text}</span>
                ) : (
                  <Link href={crumb.href}>{crumb.text}</Link>
                )}
              </li>
            ))}
          </ol>
        </nav>
      )}
      <span className="grow" />
      <KeyboardHelp />
      <ThemeToggle />
      {children}
    </header>
  );
}
