"use client";
export { DialogPanel } from "./dialog-panel.tsx";
export { PopoverPanel } from "./popover-panel.tsx";
export { TipPanel } from "./tip-panel.tsx";
