import { formatSecond } from "../../src/ui/format-time.ts";
import { Icon, Mark } from "../../src/ui/icon.tsx";
import { LongText } from "../../src/ui/long-text.tsx";
import { ReplicaBar } from "../../src/ui/replica-bar.tsx";
import { Skeleton } from "../../src/ui/skeleton.tsx";
import { StateGlyph, type StateLook } from "../../src/ui/state-glyph.tsx";
import type { SpecimenGroup } from "./specimen.ts";
import styles from "./specimen-sheet.module.css";
import { NOW_MS } from "./specimen-store.tsx";

const LOOKS = [
  "healthy",
  "progressing",
  "suspended",
  "missing",
  "degraded",
  "unknown",
  "locked",
  "neutral",
] as const satisfies readonly StateLook[];
const ICONS = [
  "ing",
  "svc",
  "deploy",
  "sts",
  "ds",
  "rs",
  "po",
  "cm",
  "secret",
  "pvc",
  "hpa",
  "cron",
  "job",
  "eps",
  "shield",
  "person",
  "custom",
] as const;

/** Glyphs, icons, bars and texts without a meaning of their own. */
export const signSpecimens: SpecimenGroup = {
  title: "Signs and words",
  specimens: [
    ...LOOKS.map((look) => ({
      title: `state ${look}`,
      body: (
        <div className={styles["wrap"]}>
          {([12, 14, 16, 24] as const).map((size) => (
            <StateGlyph key={size} look={look} size={size} />
          ))}
          <span className={`st ${look}`}>
            <StateGlyph look={look} /> {look}
          </span>
          <ReplicaBar ready={2} wanted={5} rest={look} />
        </div>
      ),
    })),
    {
      title: "icons",
      body: (
        <div className={styles["wrap"]}>
          <span className={styles["mark"]}>
            <Mark />
          </span>
          {ICONS.map((name) => (
            <Icon key={name} name={name} size={20} />
          ))}
        </div>
      ),
    },
    {
      title: "replicas: none wanted, none ready, all, five thousand",
      body: (
        <div className={styles["wrap"]}>
          {(
            [
              [0, 0],
              [0, 3],
              [3, 3],
              [4_999, 5_000],
            ] as const
          ).map(([ready, wanted]) => (
            <ReplicaBar key={`${ready}/${wanted}`} ready={ready} wanted={wanted} rest="degraded" />
          ))}
        </div>
      ),
    },
    {
      title: "tags, counts, keys, links, times",
      body: (
        <div className={styles["wrap"]}>
          <span className="tag">counts for health</span>
          <span className="count num">113</span>
          <kbd>Esc</kbd>
          <a href="#signs-and-words">a link</a>
          <button type="button" className="linkish">
            more
          </button>
          <span className="muted">quiet</span>
          <span className="mono">gitlab:user:mara</span>
          <span className="num">{formatSecond(NOW_MS, NOW_MS)}</span>
        </div>
      ),
    },
    { title: "text, short", body: <LongText text="0/12 nodes are available." /> },
    { title: "text of 1 MB", body: <LongText text={"0/12 nodes are available. ".repeat(40_000)} /> },
    { title: "skeleton", body: <Skeleton rows={3} label="Loading resources" /> },
  ],
};
