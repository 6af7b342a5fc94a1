"use client";
import { createContext } from "react";

/** For a page of specimens: all popovers, dialogs and tooltips below stand open, and none takes the focus or locks the page. */
export const PinnedOverlays = createContext(false);
