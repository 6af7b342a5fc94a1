import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { LayoutState } from "./layout-runner.ts";

/** Says that the graph stands still, and why; nothing while the layout answers. */
export function LayoutNote({ layout, onTryAgain }: { readonly layout: LayoutState; readonly onTryAgain: () => void }): ReactNode {
  if (layout === "answering") return null;
  return (
    <output className="banner missing">
      <Icon name="off" />
      <span>
        {layout === "restarting"
          ? "The layout stopped answering and is being started again. Until then the graph stands still."
          : "The layout stopped answering, so the graph stands still. List and tree still show everything as it is now."}
      </span>
      {layout === "stopped" && (
        <button type="button" className="btn sm" onClick={onTryAgain}>
          Try again
        </button>
      )}
    </output>
  );
}
