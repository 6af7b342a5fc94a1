"use client";
import Link from "next/link";
import { type ReactNode, use, useState } from "react";
import styles from "./app-bar.module.css";
import { Mark, Icon } from "./icon.tsx";
import { t } from "./messages.ts";
import { useCommand } from "./commands.ts";
import { Dialog } from "./dialog.tsx";
import { LazyCode, useLazyCode } from "./lazy-code.ts";
import keyboardHelpStyles from "./keyboard-help.module.css";
import { ariaKeys, withKeys } from "./keys/key-labels.ts";
import { usePageKey } from "./keys/use-page-key.ts";
import { PinnedOverlays } from "./overlays/pinned-overlays.ts";
import { Tip } from "./tip.tsx";
import { focusContent } from "./focus-content.ts";
import { THEME_COOKIE } from "./theme.ts";

/** Read by who asks for it. */
const LAZY_SHORTCUTS = new LazyCode(async () => (await import("./keys/shortcuts-list.tsx")).Shortcuts);

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

/** The button and the dialog it opens; the key `?` opens it too. */
export function KeyboardHelp(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const Shortcuts = useLazyCode(LAZY_SHORTCUTS, use(PinnedOverlays) || isOpen).code;
  const keys = usePageKey("help", () => setOpen(true));
  useCommand("help", t("ui/keyboard-help"), () => setOpen(true));
  return (
    <>
      <Tip text={withKeys(t("ui/keyboard-help"), keys)}>
        <button
          type="button"
          className={`btn ghost icon sm ${keyboardHelpStyles["button"]}`}
          aria-label={t("ui/keyboard-help")}
          aria-haspopup="dialog"
          aria-keyshortcuts={ariaKeys(keys)}
          onClick={() => setOpen(true)}
        >
          ?
        </button>
      </Tip>
      <Dialog title={t("ui/keyboard")} open={isOpen} onClose={() => setOpen(false)}>
        {Shortcuts !== undefined && <Shortcuts />}
      </Dialog>
    </>
  );
}

/** The first tab stop of every page: leads past the bar, the header and the filters to the first row, card or link. */
function SkipLink({ className }: { readonly className: string | undefined }): ReactNode {
  return (
    <a
      className={className}
      href="#content"
      onClick={(event) => {
        if (focusContent()) event.preventDefault();
      }}
    >
      {t("ui/skip-to-content")}
    </a>
  );
}

/** Switches between light and dark, and remembers it for a year. */
function ThemeToggle(): ReactNode {
  useCommand("theme", t("ui/switch-between-light"), switchTheme);
  return (
    <Tip text={t("ui/light-or-dark")}>
      <button type="button" className="btn ghost icon sm" aria-label={t("ui/switch-between-light")} onClick={switchTheme}>
        <Icon name="theme" />
      </button>
    </Tip>
  );
}

function switchTheme(): void {
  const root = document.documentElement;
  const chosen = root.dataset["theme"] ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  const next = chosen === "dark" ? "light" : "dark";
  root.dataset["theme"] = next;
  document.cookie = `${THEME_COOKIE}=${next}; path=/; max-age=31536000; samesite=lax`;
}
