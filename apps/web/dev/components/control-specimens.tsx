/* oxlint-disable jsx-a11y/prefer-tag-over-role -- as on the pages: a <fieldset> is for fields */
import { AppBar } from "../../src/ui/app-bar.tsx";
import { Icon } from "../../src/ui/icon.tsx";
import { StateGlyph } from "../../src/ui/state-glyph.tsx";
import { FilterBar } from "../../src/features/filter/filter-bar.tsx";
import type { SpecimenGroup } from "./specimen.ts";
import styles from "./specimen-sheet.module.css";
import { fixtureStore, In } from "./specimen-store.tsx";

const CRUMBS = [{ text: "harbor" }, { text: "storefront" }, { text: "Environments", href: "#controls" }, { text: "production" }];
const LONG_CRUMBS = [...Array.from({ length: 12 }, (_, index) => ({ text: `a-group-with-a-long-name-${index}` })), { text: "production" }];

/** What is pressed and typed into. */
export const controlSpecimens: SpecimenGroup = {
  title: "Controls",
  specimens: [
    {
      title: "buttons",
      body: (
        <div className={styles["wrap"]}>
          {["", "sm", "primary", "primary sm", "ghost", "ghost sm"].map((kind) => (
            <button key={kind} type="button" className={`btn ${kind}`}>
              Sign in {kind}
            </button>
          ))}
          <button type="button" className="btn icon" aria-label="Close">
            <Icon name="x" />
          </button>
          <button type="button" className="btn ghost icon sm" aria-label="Close, small">
            <Icon name="x" />
          </button>
          <a className="btn sm" href="#controls">
            A link
          </a>
        </div>
      ),
    },
    {
      title: "buttons that are pressed, disabled",
      body: (
        <div className={styles["wrap"]}>
          <button type="button" className="btn sm" aria-pressed>
            <StateGlyph look="degraded" size={14} /> Only problems <span className="count num">12</span>
          </button>
          <button type="button" className="btn" disabled>
            Disabled
          </button>
          <button type="button" className="btn" aria-disabled="true">
            Not allowed: needs update on deployments
          </button>
        </div>
      ),
    },
    {
      title: "segments, chips, search",
      body: (
        <div className={styles["wrap"]}>
          <span className="seg" role="group" aria-label="Edges">
            <button type="button" aria-pressed>
              Usual
            </button>
            <button type="button" aria-pressed={false}>
              Ownership
            </button>
          </span>
          <button type="button" className="chip" aria-pressed>
            <b>All</b> 12
          </button>
          <button type="button" className="chip" aria-pressed={false}>
            <StateGlyph look="healthy" size={14} /> Healthy <b>9</b>
          </button>
          <span className="find">
            <Icon name="search" size={14} />
            <input type="search" aria-label="Find" placeholder="Find resources" />
            <kbd>/</kbd>
          </span>
        </div>
      ),
    },
    { title: "app bar", body: <AppBar crumbs={CRUMBS} /> },
    { title: "app bar, deep", body: <AppBar crumbs={LONG_CRUMBS} /> },
    {
      title: "filter",
      body: (
        <In store={fixtureStore("production")}>
          <FilterBar />
        </In>
      ),
    },
    {
      title: "filter, nothing known yet",
      body: (
        <In store={fixtureStore("loading")}>
          <FilterBar />
        </In>
      ),
    },
  ],
};
