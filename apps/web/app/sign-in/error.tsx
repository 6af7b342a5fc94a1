"use client";
import type { ReactNode } from "react";
import { RouteError, type RouteErrorProps } from "../../src/ui/route-error.tsx";
import { t } from "../../src/ui/messages.ts";

/** An error of the sign-in: it says that nothing else is the matter. */
export default function SignInError(props: RouteErrorProps): ReactNode {
  return <RouteError {...props} what={t("frame/the-sign-in")} />;
}
