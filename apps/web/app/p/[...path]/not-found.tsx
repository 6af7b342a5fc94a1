import type { ReactNode } from "react";
import { RouteNotFound } from "../../../src/ui/route-not-found.tsx";
import { say } from "../../../src/ui/said.ts";

/** A path that names no project of the viewer, and no group with one. */
export default function NotFound(): ReactNode {
  return <RouteNotFound say={say("frame/nothing-you-may")} />;
}
