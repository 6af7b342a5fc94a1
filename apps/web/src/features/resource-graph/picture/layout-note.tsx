import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { LayoutState } from "./layout-runner.ts";
import { sayLater } from "../../../ui/said.ts";

/** Says that the graph stands still, and why; nothing while the layout answers. */
export function LayoutNote({ layout, onTryAgain }: { readonly layout: LayoutState; readonly onTryAgain: () => void }): ReactNode {
  if (layout === "answering") return null;
  return (
    <output className="banner missing">
      <Icon name="off" />
      <span>
        {layout === "restarting"
          ? sayLater("resource-graph/layout-stopped-answering")
          : sayLater("resource-graph/layout-stopped-answering-so")}
      </span>
      {layout === "stopped" && (
        <button type="button" className="btn sm" onClick={onTryAgain}>
          {sayLater("resource-graph/try-again")}
        </button>
      )}
    </output>
  );
}
