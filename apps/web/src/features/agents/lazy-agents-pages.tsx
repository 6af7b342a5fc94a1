"use client";
import dynamic from "next/dynamic";

/** The agents of a project, in files of their own: they share their route with pages that do not need them. */
export const LazyAgentsPage = dynamic(async () => (await import("./agents-page.tsx")).AgentsPage);

/** The page of an agent. */
export const LazyAgentPage = dynamic(async () => (await import("./agents-page.tsx")).AgentPage);
