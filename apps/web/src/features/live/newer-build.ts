import { BUILD_HEADER } from "./build-header.ts";

/** Names of builds as `next.config.mjs` makes them: when, in milliseconds to the base of 36, and which. */
const BUILD_NAME = /^([0-9a-z]{10})-[0-9a-f]{12}$/;

/** All pages and workers of the dashboard in this browser. */
const CHANNEL = "binnacle build";

/**
 * Whether a server's build was made after ours. A server that is older than the page is no news: while processes are exchanged one after
 * the other, answers come from both, and only one way leads forward.
 */
export function isNewerBuild(own: string, other: string): boolean {
  const [, ownTime] = BUILD_NAME.exec(own) ?? [];
  const [, otherTime] = BUILD_NAME.exec(other) ?? [];
  return ownTime !== undefined && otherTime !== undefined && otherTime > ownTime;
}

/** `fetch` that notifies all pages of the browser when a response comes from a newer build than the calling code. */
export async function fetchNotingBuild(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  tell(response.headers.get(BUILD_HEADER) ?? "");
  return response;
}

/** Hears of newer builds than `own`, from this page's calls and from those of the others. @returns ends it */
export function watchNewerBuild(own: string, heard: (build: string) => void): () => void {
  if (typeof BroadcastChannel === "undefined") return () => undefined;
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    if (typeof data === "string" && isNewerBuild(own, data)) heard(data);
  });
  return () => channel.close();
}

function tell(build: string): void {
  if (typeof BroadcastChannel === "undefined" || !isNewerBuild(process.env.BINNACLE_BUILD ?? "", build)) return;
  // Another one than a page listens on: a channel does not hear itself.
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
  channel.postMessage(build);
  channel.close();
}
