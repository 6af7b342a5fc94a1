"use client";
import type { ReactNode } from "react";
import { RouteError, type RouteErrorProps } from "../../src/ui/route-error.tsx";
import { say } from "../../src/ui/said.ts";

/** An error of the sign-in: it says that nothing else is the matter. */
export default function SignInError(props: RouteErrorProps): ReactNode {
  return <RouteError {...props} what={say("frame/the-sign-in")} />;
}
