import type { ReactNode } from "react";
import { RouteNotFound } from "../../../src/ui/route-not-found.tsx";

/** A path that names no project of the viewer, and no group with one. */
export default function NotFound(): ReactNode {
  return <RouteNotFound say="Nothing that you may see is called so: no project of yours, and no group with one." />;
}
