import { LazyCode } from "../../ui/lazy-code.ts";

/** What the drawer shows of a resource, with what asks for it. */
export const LAZY_DETAILS = new LazyCode(async () => (await import("./drawer-details.tsx")).DrawerDetails);

/** That the resource was deleted, and what took its place. */
export const LAZY_DEPARTED = new LazyCode(async () => (await import("./departed-line.tsx")).DepartedLine);

/** The logs of a resource. */
export const LAZY_LOGS_TAB = new LazyCode(async () => (await import("../logs/logs-tab.tsx")).LogsTab);

/** The terminal of a pod, with the code that draws it. */
export const LAZY_TERMINAL = new LazyCode(async () => (await import("../terminal/terminal-tab.tsx")).TerminalTab);
