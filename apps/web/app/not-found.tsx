import type { ReactNode } from "react";
import { RouteNotFound } from "../src/ui/route-not-found.tsx";
import { say } from "../src/ui/said.ts";

/** An address that names nothing. */
export default function NotFound(): ReactNode {
  return <RouteNotFound say={say("frame/there-no-such")} />;
}
