import { LazyCode } from "../../../ui/lazy-code.ts";

/** The list of issues: who looks at environments does not load it. */
export const LAZY_ISSUES = new LazyCode(async () => (await import("./issues-view.tsx")).IssuesView);
