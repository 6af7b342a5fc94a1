import type { ReactNode } from "react";
import { RouteNotFound } from "../../../src/ui/route-not-found.tsx";
import { t } from "../../../src/ui/messages.ts";

/** A path that names no project of the viewer, and no group with one. */
export default function NotFound(): ReactNode {
  return <RouteNotFound say={t("frame/project-not-found")} />;
}
