"use client";
import type { ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import { DeploymentText } from "./deployment-text.tsx";

/** The last deployment of the environment that is open, as old as it is now. */
export function LiveDeployment(): ReactNode {
  const { lastDeployment: last, sync } = useView().environment?.delivery ?? {};
  const now = useNow(10_000);
  return last === undefined ? null : <DeploymentText last={last} gitops={sync?.value} now={now} />;
}
