import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { LayoutState } from "./layout-runner.ts";
import { tLater } from "../../../ui/messages.ts";

/** Says that the graph stands still, and why; nothing while the layout answers. */
export function LayoutNote({ layout, onTryAgain }: { readonly layout: LayoutState; readonly onTryAgain: () => void }): ReactNode {
  if (layout === "answering") return null;
  return (
    <output className="banner missing">
      <Icon name="off" />
      <span>{layout === "restarting" ? tLater("resource-graph/layout-restarting") : tLater("resource-graph/layout-failed")}</span>
      {layout === "stopped" && (
        <button type="button" className="btn sm" onClick={onTryAgain}>
          {tLater("ui/try-again")}
        </button>
      )}
    </output>
  );
}
