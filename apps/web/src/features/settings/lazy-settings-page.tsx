"use client";
import dynamic from "next/dynamic";

/** Settings of an environment, in files of their own: they share their route with the page of an environment, as the index does. */
export const LazySettingsPage = dynamic(async () => (await import("./settings-page.tsx")).SettingsPage);
