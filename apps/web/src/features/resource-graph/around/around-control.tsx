/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { useMemo, type ReactNode } from "react";
import { useCommand } from "../../../ui/commands.ts";
import { drawnName } from "../../../ui/drawn-name.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { Name } from "../../../ui/name.tsx";
import { nameWidth } from "../../../ui/name-width.ts";
import { sayLater } from "../../../ui/said.ts";
import { MOST_HOPS } from "../../address/around-in-address.ts";
import { useUrlState } from "../../address/use-url-state.ts";
import { useEnvironmentStore, useGraphVersion } from "../../live/environment-context.tsx";
import { findSelected } from "../../live/selected-node.ts";
import styles from "./around.module.css";
import { nameOfCentre } from "./name-of-centre.ts";
import { useAround } from "./use-around.ts";

const NAME_PX = 140;
const NAME_WIDTH = nameWidth(12);

/** Focus mode in the toolbar: begins it at what is selected; then says around what and how far, and changes that. */
export function AroundControl(): ReactNode {
  const around = useAround();
  const [{ sel }] = useUrlState();
  const selected = useSelected(sel);
  const name = nameOfCentre(around.centre, around.found);
  useCommand(
    "around",
    around.centre === "" ? sayLater("resource-graph/around/command") : sayLater("resource-graph/around/command-end"),
    () => void (around.centre === "" ? around.more(sel) : around.end()),
  );
  if (around.centre === "") {
    if (selected === undefined) return null;
    return (
      <button
        type="button"
        className={`btn sm ${styles["begin"]}`}
        title={sayLater("resource-graph/around/begin-title", { name: selected })}
        onClick={() => around.more(sel)}
      >
        <Icon name="eps" size={14} />
        {sayLater("resource-graph/around/begin")}
      </button>
    );
  }
  return (
    <span className={`seg ${styles["around"]}`} role="group" aria-label={sayLater("resource-graph/around/group", { name })}>
      <Step icon="minus" label={sayLater("resource-graph/around/fewer")} disabled={around.hops === 1} onPress={around.fewer} />
      <span className={styles["says"]}>
        <output className="num">{sayLater("resource-graph/around/hops", { count: around.hops })}</output>{" "}
        <b translate="no">
          <Name name={name} room={NAME_PX} measure={NAME_WIDTH} />
        </b>
      </span>
      <Step
        icon="plus"
        label={sayLater("resource-graph/around/more")}
        disabled={around.hops === MOST_HOPS}
        onPress={() => around.more(sel)}
      />
      <Step icon="x" label={sayLater("resource-graph/around/end")} onPress={around.end} />
    </span>
  );
}

function Step(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly disabled?: boolean;
  readonly onPress: () => void;
}): ReactNode {
  const { icon, label, disabled = false, onPress } = props;
  return (
    <button
      type="button"
      className={styles["step"]}
      aria-label={label}
      title={label}
      // Not `disabled`: the focus would be lost at the last step.
      aria-disabled={disabled}
      onClick={() => {
        if (!disabled) onPress();
      }}
    >
      <Icon name={icon} size={14} />
    </button>
  );
}

/** "Deployment web" of what is selected, if it is there. */
function useSelected(sel: string): string | undefined {
  const store = useEnvironmentStore();
  const version = useGraphVersion();
  return useMemo(() => {
    const ref = findSelected(store.nodes.values(), sel)?.ref;
    return ref === undefined ? undefined : `${ref.kind} ${drawnName(ref.name)}`;
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the maps inside the store
  }, [store, version, sel]);
}
