"use client";
import dynamic from "next/dynamic";

/** Projects below a path, in files of their own: they share their route with the page of an environment, as the index does. */
export const LazyProjectsPage = dynamic(async () => (await import("./projects-page.tsx")).ProjectsPage);
