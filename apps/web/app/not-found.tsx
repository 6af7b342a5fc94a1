import type { ReactNode } from "react";
import { RouteNotFound } from "../src/ui/route-not-found.tsx";

/** An address that names nothing. */
export default function NotFound(): ReactNode {
  return <RouteNotFound say="There is no such page." />;
}
