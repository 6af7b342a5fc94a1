"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { withPrefix } from "../../ui/path-prefix.ts";
import { announceSignOut, sessionOfPage } from "../live/sign-out-channel.ts";
import { sessionQuery } from "./session-info.ts";
import { sayLater } from "../../ui/said.ts";

/** How one is signed in, and the way out. */
export function SignInWay(): ReactNode {
  const { data: info } = useQuery(sessionQuery());
  const asked = useQueryClient();
  const [failed, setFailed] = useState(false);
  if (info?.way === undefined) return null;
  if (info.way === "cookie") {
    return (
      <p>
        {sayLater("session/you-signed-in", {
          what: info.mainApplication === "" ? sayLater("session/the-main-application") : info.mainApplication,
        })}
      </p>
    );
  }
  const signOut = async (): Promise<void> => {
    const done = await endSession();
    if (!done) return setFailed(true);
    asked.clear();
    announceSignOut(sessionOfPage());
    location.assign(withPrefix("/sign-in"));
  };
  return (
    <>
      <p>{sayLater("session/you-signed-in-with")}</p>
      <button type="button" className="btn sm" onClick={() => void signOut()}>
        {sayLater("session/sign-out")}
      </button>
      {failed && <p role="alert">{sayLater("session/signing-out-failed")}</p>}
    </>
  );
}

async function endSession(): Promise<boolean> {
  try {
    return (await fetch(withPrefix("/api/session"), { method: "DELETE" })).ok;
  } catch {
    return false;
  }
}
