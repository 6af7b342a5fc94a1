/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <dialog> would have to be opened by a script */
"use client";
import type { Viewer } from "@binnacle/proto/dashboard";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { initialsOf } from "./initials.ts";
import { fetchSessionInfo, type SessionInfo } from "./session-info.ts";
import styles from "./user-menu.module.css";

/** The avatar, and who one is, here and in the cluster, behind it. Nothing before the viewer is known. */
export function UserMenu({ viewer }: { readonly viewer: Viewer | undefined }): ReactNode {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();
  useEffect(() => {
    if (!open) return undefined;
    const close = (event: PointerEvent | FocusEvent): void => {
      const inside = event.target instanceof Node && root.current?.contains(event.target) === true;
      if (!inside) setOpen(false);
    };
    addEventListener("pointerdown", close);
    addEventListener("focusin", close);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("focusin", close);
    };
  }, [open]);
  const name = viewer === undefined || viewer.name === "" ? (viewer?.username ?? "") : viewer.name;
  if (viewer === undefined || name === "") return null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- an open menu closes on Escape
    <div
      ref={root}
      className={styles["menu"]}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.preventDefault();
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className={`avatar ${styles["avatar"]}`}
        aria-label={name}
        data-initials={initialsOf(name)}
        title={name}
        aria-haspopup="dialog"
        aria-expanded={open}
        {...(open ? { "aria-controls": panel } : {})}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div id={panel} role="dialog" aria-label="You" className={`panel ${styles["panel"]}`}>
          <p>
            <b className="b">{name}</b>
            <span className="muted">{viewer.username}</span>
          </p>
          <ClusterIdentity viewer={viewer} />
          <SignInWay />
        </div>
      )}
    </div>
  );
}

function ClusterIdentity({ viewer }: { readonly viewer: Viewer }): ReactNode {
  if (viewer.clusterUsername === "") return null;
  return (
    <dl>
      <dt className="muted">In the cluster</dt>
      <dd className="mono">{viewer.clusterUsername}</dd>
      {viewer.clusterGroups.length > 0 && (
        <>
          <dt className="muted">Groups</dt>
          <dd className="mono">{viewer.clusterGroups.join(", ")}</dd>
        </>
      )}
    </dl>
  );
}

function SignInWay(): ReactNode {
  const [info, setInfo] = useState<SessionInfo>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    void fetchSessionInfo(abort.signal).then((answer) => {
      if (!abort.signal.aborted) setInfo(answer);
    });
    return () => abort.abort();
  }, []);
  if (info?.way === undefined) return null;
  if (info.way === "cookie") {
    return <p>You are signed in with {info.mainApplication === "" ? "the main application" : info.mainApplication}; sign out there.</p>;
  }
  const signOut = async (): Promise<void> => {
    const done = await endSession();
    if (done) location.assign("/sign-in");
    else setFailed(true);
  };
  return (
    <>
      <p>You are signed in with a personal access token.</p>
      <button type="button" className="btn sm" onClick={() => void signOut()}>
        Sign out
      </button>
      {failed && <p role="alert">Signing out failed. Try again.</p>}
    </>
  );
}

async function endSession(): Promise<boolean> {
  try {
    return (await fetch("/api/session", { method: "DELETE" })).ok;
  } catch {
    return false;
  }
}
