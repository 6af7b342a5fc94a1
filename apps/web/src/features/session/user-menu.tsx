"use client";
import type { Viewer } from "@binnacle/proto/dashboard";
import { useEffect, type ReactNode } from "react";
import { reloadIfLost } from "../../ui/chunk-failure.ts";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { Popover } from "../../ui/popover.tsx";
import { whenIdle } from "../../ui/when-idle.ts";
import { t } from "../../ui/messages.ts";
import styles from "./user-menu.module.css";

const MENU_REST = new LazyCode(async () => (await import("./menu-rest.tsx")).MenuRest);

/** The avatar, and who one is, here and in the cluster, behind it. Nothing before the viewer is known. */
export function UserMenu({ viewer }: { readonly viewer: Viewer | undefined }): ReactNode {
  useEffect(() => whenIdle(() => void MENU_REST.fetch().catch(() => undefined)), []); // opening the menu reports the failure
  const name = viewer === undefined || viewer.name === "" ? (viewer?.username ?? "") : viewer.name;
  if (viewer === undefined || name === "") return null;
  return (
    <Popover
      title={t("session/you")}
      align="end"
      className={styles["panel"]}
      renderButton={(press) => (
        <button {...press} className={styles["avatar"]} translate="no" aria-label={name} data-initials={initialsOf(name)} />
      )}
    >
      <p>
        <b className="b" translate="no">
          {name}
        </b>
        <span className="muted" translate="no">
          {viewer.username}
        </span>
      </p>
      <ClusterIdentity viewer={viewer} />
      <Rest />
    </Popover>
  );
}

function ClusterIdentity({ viewer }: { readonly viewer: Viewer }): ReactNode {
  if (viewer.clusterUsername === "") return null;
  return (
    <dl>
      <dt className="muted">{t("session/in-the-cluster")}</dt>
      <dd className="mono" translate="no">
        {viewer.clusterUsername}
      </dd>
      {viewer.clusterGroups.length > 0 && (
        <>
          <dt className="muted">{t("ui/groups")}</dt>
          <dd className="mono" translate="no">
            {viewer.clusterGroups.join(", ")}
          </dd>
        </>
      )}
    </dl>
  );
}

function Rest(): ReactNode {
  const { code: MenuRest, failure } = useLazyCode(MENU_REST, true);
  useEffect(() => {
    if (failure !== undefined) reloadIfLost(failure.error);
  }, [failure]);
  return MenuRest !== undefined && <MenuRest />;
}

/** At most two capital letters for the avatar: "Mara Lindqvist" is "ML". */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== "");
  return words
    .slice(0, 2)
    .map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0).toUpperCase())
    .join("");
}
