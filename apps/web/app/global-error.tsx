"use client";
import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import "../src/ui/tokens.css";
import "../src/ui/base.css";
import { useEffect, type ReactNode } from "react";
import { FailurePanel } from "../src/ui/failure-panel.tsx";
import { themeAttribute, THEME_COOKIE } from "../src/ui/theme.ts";
import { t } from "../src/ui/messages.ts";

/**
 * An error in the frame itself: it takes the place of the root layout, so that it brings its own. Next also makes a file of it that has no
 * nonce, so that it must say all without a script.
 */
export default function GlobalError({ error }: { readonly error: unknown }): ReactNode {
  useEffect(() => {
    const theme = themeAttribute(new RegExp(`(?:^|; )${THEME_COOKIE}=([^;]*)`).exec(document.cookie)?.[1]);
    if (theme !== undefined) document.documentElement.dataset["theme"] = theme;
  }, []);
  return (
    <html lang="en">
      <head>
        <meta name="color-scheme" content="light dark" />
        <title>{t("frame/error-binnacle")}</title>
      </head>
      <body>
        <main id="content" className="page">
          <h1 className="visually-hidden">{t("ui/error")}</h1>
          <FailurePanel error={error} what={t("frame/the-dashboard")} />
        </main>
      </body>
    </html>
  );
}
