"use client";
import dynamic from "next/dynamic";

/**
 * The index, in files of its own: it shares its route with the page of an environment, which does not need them. No `loading`: that would be
 * a `Suspense`, and what is below one may be sent as something that only a script makes visible. The HTML names its files.
 */
export const LazyEnvironmentsPage = dynamic(async () => (await import("./environments-page.tsx")).EnvironmentsPage);
