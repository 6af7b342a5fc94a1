/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { withoutPrefix, withPrefix } from "../../ui/path-prefix.ts";
import { tLater } from "../../ui/messages.ts";
import { localZoneName, setTimeZone, timeZone } from "@binnacle/presentation/text/time-zone";
import { redrawTimes } from "../../ui/use-now.ts";
import { announceSignOut, sessionOfPage } from "../live/sign-out-channel.ts";
import { sessionQuery } from "./session-info.ts";
import { signInPath } from "./sign-in-path.ts";
import styles from "./user-menu.module.css";

/** The part of the menu that is not needed before it is opened. */
export function MenuRest(): ReactNode {
  return (
    <>
      <TimeZoneChoice />
      <SignInWay />
    </>
  );
}

/** How one is signed in, and the way out. */
function SignInWay(): ReactNode {
  const { data: info } = useQuery(sessionQuery());
  const queryClient = useQueryClient();
  const [failed, setFailed] = useState(false);
  if (info?.way === undefined) return null;
  if (info.way === "cookie") {
    return (
      <p>
        {tLater("session/signed-in-with-provider", {
          what: info.mainApplication === "" ? tLater("session/the-main-application") : info.mainApplication,
        })}
      </p>
    );
  }
  const signOut = async (): Promise<void> => {
    const goTo = await endSession();
    if (goTo === undefined) return setFailed(true);
    queryClient.clear();
    announceSignOut(sessionOfPage());
    location.assign(goTo);
  };
  const provider = info.provider ?? info.mainApplication;
  return (
    <>
      <p>
        {info.way === "provider"
          ? tLater("session/signed-in-by-provider", { what: provider })
          : tLater(info.way === "password" ? "standalone/signed-in" : "session/signed-in-with-token")}
      </p>
      {info.signIn === "password" && (
        <p>
          <Link href="/access-tokens">{tLater("standalone/access-tokens")}</Link>
        </p>
      )}
      {info.needsClusterToken === true && (
        <a href={withPrefix(signInPath(`${withoutPrefix(location.pathname)}${location.search}`))}>
          {tLater("session/cluster-token-missing")}
        </a>
      )}
      <button type="button" className="btn sm" onClick={() => void signOut()}>
        {tLater("session/sign-out")}
      </button>
      {failed && <p role="alert">{tLater("session/signing-out-failed")}</p>}
    </>
  );
}

/** @returns where the browser goes then: our sign-in page, or the provider's end of its session; `undefined` when it failed */
async function endSession(): Promise<string | undefined> {
  try {
    const answer = await fetch(withPrefix("/api/session"), { method: "DELETE" });
    if (!answer.ok) return undefined;
    const body: unknown = answer.status === 200 ? await answer.json() : undefined;
    const goTo = typeof body === "object" && body !== null && "goTo" in body ? body.goTo : undefined;
    return typeof goTo === "string" ? goTo : withPrefix("/sign-in");
  } catch {
    return undefined;
  }
}

/** In which zone times are written; kept in the browser. Its other pages take it up when they are loaded. */
function TimeZoneChoice(): ReactNode {
  const [chosen, setChosen] = useState(timeZone);
  return (
    <div className={styles["times"]} role="group" aria-label={tLater("menu/times")}>
      <span className="muted">{tLater("menu/times")}</span>
      <span className="seg">
        {(["local", "utc"] as const).map((zone) => (
          <button
            key={zone}
            type="button"
            aria-pressed={chosen === zone}
            onClick={() => {
              setTimeZone(zone);
              setChosen(zone);
              redrawTimes();
            }}
          >
            {zone === "utc" ? "UTC" : tLater("menu/times/local", { zone: localZoneName() })}
          </button>
        ))}
      </span>
    </div>
  );
}
