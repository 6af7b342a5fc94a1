"use client";
import type { ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { StatePanel } from "../../../ui/state-panel.tsx";
import { useView } from "../../live/environment-context.tsx";
import { nameOfCentre } from "./name-of-centre.ts";
import type { Around } from "./use-around.ts";

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
