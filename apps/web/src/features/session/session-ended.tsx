"use client";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { withoutPrefix, withPrefix } from "../../ui/path-prefix.ts";
import { messageText, t } from "../../ui/messages.ts";
import { SESSION_ENDED } from "../live/session-ended-problem.ts";
import { signInPath } from "./sign-in-path.ts";

/** Banner above the last data, which stays. The address stays too: signing in comes back here. */
export function SessionEnded(): ReactNode {
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
