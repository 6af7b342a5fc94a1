import type { Metadata } from "next";
import { Suspense, type ReactNode } from "react";
import { SignInPage } from "../../src/features/session/sign-in-page.tsx";

export const metadata: Metadata = {
  title: "Sign in",
  // Elsewhere no page says where it was; but under "no-referrer" a browser without scripts would post this form with `Origin: null`.
  referrer: "same-origin",
};

/** Both ways in: the main application's session, or a personal access token. */
export default function Page(): ReactNode {
  return (
    <Suspense>
      <SignInPage />
    </Suspense>
  );
}
