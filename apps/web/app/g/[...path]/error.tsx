"use client";
import type { ReactNode } from "react";
import { RouteError, type RouteErrorProps } from "../../../src/ui/route-error.tsx";
import { t } from "../../../src/ui/messages.ts";

/** An error of an index or an environment that no boundary within has kept. */
export default function ViewError(props: RouteErrorProps): ReactNode {
  return <RouteError {...props} what={t("frame/this-view")} />;
}
