"use client";
import type { ReactNode } from "react";
import { RouteError, type RouteErrorProps } from "../src/ui/route-error.tsx";
import { t } from "../src/ui/messages.ts";

/** An error that no boundary within the page has kept: the frame stays, and every route below has it. */
export default function PageError(props: RouteErrorProps): ReactNode {
  return <RouteError {...props} what={t("frame/this-page")} />;
}
