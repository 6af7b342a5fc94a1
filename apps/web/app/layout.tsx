import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import "../src/ui/tokens.css";
import "../src/ui/base.css";
// Next loads the pages of errors with every page. Named here they are in the files of the frame, and what they share with pages is too;
// else each of them brings its own copy of it.
import "./error.tsx";
import "./global-error.tsx";
import "./p/[...path]/error.tsx";
import "./sign-in/error.tsx";
import { pageCatalogue } from "@binnacle/presentation/text/server-catalogue";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { StepsOfPage } from "../src/features/address/steps-of-page.tsx";
import { NewVersion } from "../src/features/live/new-version.tsx";
import { SessionRenewal } from "../src/features/session/session-renewal.tsx";
import { RENEW_HEADER, SESSION_NAME_HEADER } from "../src/server/http/session-name-header.ts";
import { lostFilesScript } from "../src/ui/lost-files.ts";
import { PageWords } from "../src/ui/page-words.tsx";
import { themeAttribute, THEME_COOKIE } from "../src/ui/theme.ts";
import { t } from "../src/ui/messages.ts";

/** Each page says its title; the product's name follows. */
export function generateMetadata(): Metadata {
  return {
    title: { default: "Binnacle", template: "%s · Binnacle" },
    description: t("frame/description"),
  };
}

export const viewport: Viewport = { colorScheme: "light dark" };

/** It runs before any file of the build has come. */
const LOST_FILES = lostFilesScript(process.env.BINNACLE_BUILD ?? "");

/** The frame of every page. The theme comes from a cookie, so that the first paint is right without a script. */
export default async function RootLayout({ children }: { readonly children: ReactNode }): Promise<ReactNode> {
  const theme = themeAttribute((await cookies()).get(THEME_COOKIE)?.value);
  const requestHeaders = await headers();
  const session = requestHeaders.get(SESSION_NAME_HEADER) ?? "";
  const renewInSeconds = requestHeaders.get(RENEW_HEADER) ?? "";
  const nonce = /'nonce-([^']+)'/.exec(requestHeaders.get("content-security-policy") ?? "")?.[1];
  return (
    <html
      lang="en"
      data-session={session}
      {...(renewInSeconds === "" ? {} : { "data-renew": renewInSeconds })}
      {...(theme === undefined ? {} : { "data-theme": theme })}
    >
      <head>
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: LOST_FILES }} />
      </head>
      <body>
        <PageWords words={pageCatalogue()} />
        {children}
        {renewInSeconds !== "" && <SessionRenewal inSeconds={Number(renewInSeconds)} />}
        <NewVersion />
        <StepsOfPage />
      </body>
    </html>
  );
}
