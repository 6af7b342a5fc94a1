"use client";
import type { ReactNode } from "react";
import { useCommand } from "./commands.ts";
import { Icon } from "./icon.tsx";
import { THEME_COOKIE } from "./theme.ts";
import { Tip } from "./tip.tsx";
import { t } from "./messages.ts";

/** Switches between light and dark, and remembers it for a year. */
export function ThemeToggle(): ReactNode {
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
