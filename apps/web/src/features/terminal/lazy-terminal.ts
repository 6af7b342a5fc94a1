import { LazyCode } from "../../ui/lazy-code.ts";

/** The terminal of a pod, with the code that draws it. */
export const LAZY_TERMINAL = new LazyCode(async () => (await import("./terminal-tab.tsx")).TerminalTab);
