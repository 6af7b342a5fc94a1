"use client";
import { useEffect, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { withoutPrefix, withPrefix } from "../../ui/path-prefix.ts";
import { messageText, t } from "../../ui/messages.ts";
import { SESSION_ENDED } from "../live/session-ended-problem.ts";
import { signInPath } from "./sign-in-path.ts";

/** Banner above the last data, which stays. The address stays too: signing in comes back here. */
export function SessionEnded(): ReactNode {
  useRenewalOnce();
  const signIn = (): void => location.assign(withPrefix(signInPath(`${withoutPrefix(location.pathname)}${location.search}`)));
  return (
    <div className="banner unknown" role="alert">
      <Icon name="info" />
      <span className="grow">{messageText(SESSION_ENDED)}</span>
      <button type="button" className="btn sm primary" onClick={signIn}>
        {t("session/sign-in")}
      </button>
    </div>
  );
}

/**
 * A page that slept longer than its tokens last renews them, and is loaded again where it is. Pages are sent the time until then: a page that
 * was loaded again is not due, so this does not repeat itself.
 */
function useRenewalOnce(): void {
  useEffect(() => {
    const renewInSeconds = document.documentElement.dataset["renew"];
    if (renewInSeconds === undefined || performance.now() < Number(renewInSeconds) * 1_000) return;
    import("./renew-session.ts").then(
      async ({ renewSession }) => {
        if ((await renewSession()).kind === "renewed") location.reload();
      },
      () => undefined, // the banner offers to sign in
    );
  }, []);
}
