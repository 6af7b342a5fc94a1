import { LazyCode } from "../../ui/lazy-code.ts";

/** The summary of what is live: what the page was sent with is shown without it. */
export const LAZY_SUMMARY = new LazyCode(async () => (await import("./summary.tsx")).Summary);

/** Keys that act wherever the focus is, and what the palette offers of the page. */
export const LAZY_KEYS = new LazyCode(async () => (await import("./environment-keys.tsx")).EnvironmentKeys);

/** The command palette. */
export const LAZY_PALETTE = new LazyCode(async () => (await import("./environment-palette.tsx")).EnvironmentPalette);

/** The last deployment as it is now: HTML shows what it was, without a script. */
export const LAZY_DEPLOYMENT = new LazyCode(async () => (await import("./live-deployment.tsx")).LiveDeployment);

/** How GitOps stands now: HTML shows how it stood, without a script. */
export const LAZY_SYNC = new LazyCode(async () => (await import("./live-sync.tsx")).LiveSync);

/** The graph, with its library: not loaded by who only reads the summary. */
export const LAZY_GRAPH = new LazyCode(async () => (await import("../resource-graph/resource-graph.tsx")).ResourceGraph);

/** The list, with the library that draws only what is on the screen. */
export const LAZY_LIST = new LazyCode(async () => (await import("../resource-list/resource-list.tsx")).ResourceList);

/** The events of an environment, with the stream of their own that they are followed by. */
export const LAZY_EVENTS = new LazyCode(async () => (await import("../events/events-board.tsx")).EventsView);

/** The logs of an environment, merged. */
export const LAZY_LOGS = new LazyCode(async () => (await import("../logs/logs-view.tsx")).LogsView);

/** What is done with a page: its views, its link, pausing it. It is not needed before the page has content. */
export const LAZY_TOOLS = new LazyCode(async () => (await import("../page-tools/page-tools.tsx")).PageTools);

/** That the page is held. */
export const LAZY_HOLD_BANNER = new LazyCode(async () => (await import("../hold/hold-banner.tsx")).HoldBanner);

/** The head of a printed page: it must be loaded before the page is printed. */
export const LAZY_PRINTED_HEAD = new LazyCode(async () => (await import("../print/printed-head.tsx")).PrintedHead);
