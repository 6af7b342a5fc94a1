"use client";
import dynamic from "next/dynamic";

/** An overview, in files of its own. */
export const LazyOverviewPage = dynamic(async () => (await import("./overview-page.tsx")).OverviewPage);
