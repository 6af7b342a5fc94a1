"use client";
import { useSearchParams } from "next/navigation";
import type { ReactNode } from "react";
import { PinnedOverlays } from "../../src/ui/overlays/pinned-overlays.ts";
import { actionSpecimens } from "./action-specimens.tsx";
import { bannerSpecimens } from "./banner-specimens.tsx";
import { cardSpecimens } from "./card-specimens.tsx";
import { controlSpecimens } from "./control-specimens.tsx";
import { drawerSpecimens } from "./drawer-specimens.tsx";
import { indexSpecimens } from "./index-specimens.tsx";
import { listSpecimens } from "./list-specimens.tsx";
import { metricsSpecimens } from "./metrics-specimens.tsx";
import { overlaySpecimens } from "./overlay-specimens.tsx";
import { pillSpecimens } from "./pill-specimens.tsx";
import { signSpecimens } from "./sign-specimens.tsx";
import { anchorOf, type Specimen, type SpecimenGroup } from "./specimen.ts";
import styles from "./specimen-sheet.module.css";
import { stateSpecimens } from "./state-specimens.tsx";
import { summarySpecimens } from "./summary-specimens.tsx";

const THEMES = ["light", "dark"] as const;
const GROUPS: readonly SpecimenGroup[] = [
  signSpecimens,
  controlSpecimens,
  overlaySpecimens,
  pillSpecimens,
  bannerSpecimens,
  stateSpecimens,
  summarySpecimens,
  cardSpecimens,
  listSpecimens,
  drawerSpecimens,
  actionSpecimens,
  metricsSpecimens,
  indexSpecimens,
];

/** All specimens, light beside dark; `?theme=dark` shows one theme alone, `?group=pills` one group. */
export function SpecimenSheet(): ReactNode {
  const query = useSearchParams();
  const themes = THEMES.filter((theme) => (query.get("theme") ?? theme) === theme);
  const groups = GROUPS.filter(({ title }) => (query.get("group") ?? anchorOf(title)) === anchorOf(title));
  return (
    <main id="content" className={styles["sheet"]} data-groups={GROUPS.map(({ title }) => anchorOf(title)).join(" ")}>
      <h1>Components</h1>
      <nav aria-label="Groups">
        {GROUPS.map(({ title }) => (
          <a key={title} href={`#${anchorOf(title)}`}>
            {title}
          </a>
        ))}
      </nav>
      {groups.map((group) => (
        <section key={group.title} id={anchorOf(group.title)} className={styles["group"]} data-group={anchorOf(group.title)}>
          <h2>{group.title}</h2>
          {group.specimens.map((specimen) => (
            <SpecimenView key={specimen.title} specimen={specimen} anchor={anchorOf(group.title, specimen.title)} themes={themes} />
          ))}
        </section>
      ))}
    </main>
  );
}

function SpecimenView(props: {
  readonly specimen: Specimen;
  readonly anchor: string;
  readonly themes: readonly (typeof THEMES)[number][];
}): ReactNode {
  const { specimen, anchor, themes } = props;
  const { title, body, openPx } = specimen;
  return (
    <article id={anchor} className={styles["specimen"]} data-specimen={anchor}>
      <h3>{title}</h3>
      <div className={styles["themes"]}>
        {themes.map((theme) => (
          <div key={theme} data-theme={theme} className={styles["frame"]} style={openPx === undefined ? {} : { minHeight: openPx }}>
            <PinnedOverlays value={openPx !== undefined}>{body}</PinnedOverlays>
          </div>
        ))}
      </div>
    </article>
  );
}
