import { openPageChannel } from "./channel/page-channel.ts";

/** Pages and workers of all builds of the dashboard. */
const NAME = "binnacle signed out";

/** The session of this page, as the server named it; "" without one. */
export function sessionOfPage(): string {
  return document.documentElement.dataset["session"] ?? "";
}

/**
 * Notifies all tabs of this browser that the user has signed out in one of them: their streams may be served by a process that knows nothing
 * of it. Where pages cannot speak with each other the server's word has to do.
 */
export function announceSignOut(session: string): void {
  try {
    const channel = openPageChannel(NAME);
    channel.send(session);
    channel.close();
  } catch {
    // The browser forbids it here.
  }
}

/** Hears for ever of a sign-out of the session, in whichever tab. */
export function hearSignOut(session: string, listener: () => void): void {
  try {
    openPageChannel(NAME).listen((message) => {
      if (message === session) listener();
    });
  } catch {
    // The browser forbids it here.
  }
}
