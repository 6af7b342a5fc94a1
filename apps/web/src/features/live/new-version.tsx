"use client";
import { useEffect, useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { PAGE_STARTED } from "../../ui/lost-files.ts";
import styles from "./new-version.module.css";
import { watchNewerBuild } from "./newer-build.ts";
import { t } from "../../ui/messages.ts";

/** The bundler puts it here, see `next.config.mjs`. */
const BUILD = process.env.BINNACLE_BUILD ?? "";

/** Offers a newer version when a server has one, and never loads it automatically, because a user may be reading. The address stays. */
export function NewVersion(): ReactNode {
  const [newer, setNewer] = useState<string>();
  const [later, setLater] = useState<string>();
  useEffect(() => {
    // From now on the code that needs a lost file reports it.
    dispatchEvent(new Event(PAGE_STARTED));
    return watchNewerBuild(BUILD, setNewer);
  }, []);
  if (newer === undefined || newer === later) return null;
  return <VersionOffer onLater={() => setLater(newer)} />;
}

/** The offer itself. */
export function VersionOffer({ onLater }: { readonly onLater: () => void }): ReactNode {
  return (
    <output className={`banner ${styles["offer"]}`}>
      <Icon name="sync" />
      <span className="grow">{t("live/new-version")}</span>
      <button type="button" className="btn sm primary" onClick={() => location.reload()}>
        {t("live/reload")}
      </button>
      <button type="button" className="btn sm" onClick={onLater}>
        {t("live/later")}
      </button>
    </output>
  );
}
