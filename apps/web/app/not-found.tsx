import type { ReactNode } from "react";
import { RouteNotFound } from "../src/ui/route-not-found.tsx";
import { t } from "../src/ui/messages.ts";

/** An address that names nothing. */
export default function NotFound(): ReactNode {
  return <RouteNotFound say={t("frame/page-not-found")} />;
}
