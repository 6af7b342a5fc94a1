import type { ReactNode } from "react";
import { RouteNotFound } from "../../../src/ui/route-not-found.tsx";

/** An address below a project that names neither its environments nor one of them. */
export default function NotFound(): ReactNode {
  return <RouteNotFound say="There is no such environment." />;
}
