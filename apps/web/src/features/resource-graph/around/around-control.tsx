/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { useEffect, useMemo, useRef, type ReactNode, type Ref } from "react";
import { useCommand } from "../../../ui/commands.ts";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { Icon } from "../../../ui/icon.tsx";
import { Name } from "../../../ui/name.tsx";
import { nameWidth } from "@binnacle/presentation/text/name-width";
import { tLater } from "../../../ui/messages.ts";
import { StepButton } from "../../../ui/step-button.tsx";
import { MAX_HOPS } from "../../address/around-in-address.ts";
import { useUrlState } from "../../address/use-url-state.ts";
import { useEnvironmentStore, useGraphVersion, useView } from "../../live/environment-context.tsx";
import { findSelected, type SelectedNode } from "../../live/selected-node.ts";
import styles from "./around.module.css";
import type { Around } from "./use-around.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { nameOfSelection } from "../../address/name-of-selection.ts";

const NAME_PX = 140;
const NAME_WIDTH = nameWidth(12);

/** Focus mode in the toolbar: begins it at what is selected; then says around what and how far, and changes that. */
export function AroundControl({ around }: { readonly around: Around }): ReactNode {
  const [{ sel }] = useUrlState();
  const selected = useSelected(sel);
  const name = nameOfCentre(around.centre, around.found);
  const begin = useRef<HTMLButtonElement>(null);
  const group = useRef<HTMLSpanElement>(null);
  const isPressed = useRef(false);
  const pressed = (act: () => void) => (): void => {
    isPressed.current = true;
    act();
  };
  const isOn = around.centre !== "";
  // The button that was pressed has gone: what stands in its place has the focus.
  useEffect(() => {
    if (isPressed.current) (isOn ? group : begin).current?.focus();
    isPressed.current = false;
  }, [isOn]);
  const end = pressed(around.end);
  if (!isOn) return selected === undefined ? null : <Begin ref={begin} name={selected} onBegin={pressed(() => around.more(sel))} />;
  return (
    <span
      ref={group}
      tabIndex={-1}
      className={`seg ${styles["around"]}`}
      role="group"
      aria-label={tLater("resource-graph/around/group", { name })}
    >
      <StepButton
        className={styles["step"]}
        name="minus"
        label={tLater("resource-graph/around/fewer")}
        disabled={around.hops === 1}
        onPress={around.fewer}
      />
      <span className={styles["says"]}>
        <output className="num">{tLater("resource-graph/around/hops", { count: around.hops })}</output>{" "}
        <b translate="no">
          <Name name={name} room={NAME_PX} measure={NAME_WIDTH} />
        </b>
      </span>
      <StepButton
        className={styles["step"]}
        name="plus"
        label={tLater("resource-graph/around/more")}
        disabled={around.hops === MAX_HOPS}
        onPress={() => around.more(sel)}
      />
      <StepButton className={styles["step"]} name="x" label={tLater("resource-graph/around/end")} onPress={end} />
      <Command text={tLater("resource-graph/around/command-end")} run={around.end} />
    </span>
  );
}

function Begin(props: { readonly ref: Ref<HTMLButtonElement>; readonly name: string; readonly onBegin: () => void }): ReactNode {
  const { ref, name, onBegin } = props;
  return (
    <button ref={ref} type="button" className="btn sm" title={tLater("resource-graph/around/begin-title", { name })} onClick={onBegin}>
      <Icon name="eps" size={14} />
      {tLater("resource-graph/around/begin")}
      <Command text={tLater("resource-graph/around/command")} run={onBegin} />
    </button>
  );
}

/** The palette offers it as long as the button is there. */
function Command({ text, run }: { readonly text: string; readonly run: () => void }): ReactNode {
  useCommand("around", text, run);
  return null;
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

/** What stands where the graph would, when the resource that it should be around is not there, may not be read, or has not come yet. */
export function NoCentre({ around }: { readonly around: Around }): ReactNode {
  const { centre, found, end } = around;
  const { complete } = useView();
  const name = nameOfCentre(centre, found);
  const isUnseen = found.kind === "none" && !complete;
  if (isUnseen) return <Skeleton rows={6} label={tLater("resource-graph/drawing-the-graph")} />;
  return (
    <StatePanel
      icon={found.kind === "hidden" ? "locked" : "search"}
      message={tLater(found.kind === "hidden" ? "resource-graph/around/hidden" : "resource-graph/around/gone", { name })}
      actions={
        <button type="button" className="btn sm primary" onClick={end}>
          {tLater("resource-graph/around/end")}
        </button>
      }
    />
  );
}

/** "Deployment web"; of what was never seen, "deployments/web". */
function nameOfCentre(selection: string, found: SelectedNode): string {
  const ref = "node" in found ? found.node.ref : undefined;
  return ref === undefined ? nameOfSelection(selection) : `${ref.kind} ${ref.name}`;
}
