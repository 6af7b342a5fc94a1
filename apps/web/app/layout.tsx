import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import "../src/ui/tokens.css";
import "../src/ui/base.css";
import type { Metadata, Viewport } from "next";
import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { themeAttribute, THEME_COOKIE } from "../src/ui/theme.ts";

export const metadata: Metadata = {
  title: { default: "Binnacle", template: "%s · Binnacle" },
  description: "What an environment deploys, live.",
};

export const viewport: Viewport = { colorScheme: "light dark" };

/** The frame of every page. The theme comes from a cookie, so that the first paint is right without a script. */
export default async function RootLayout({ children }: { readonly children: ReactNode }): Promise<ReactNode> {
  const theme = themeAttribute((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <html lang="en" {...(theme === undefined ? {} : { "data-theme": theme })}>
      <body>{children}</body>
    </html>
  );
}
