import { t } from "../../ui/messages.ts";
import type { UrlState } from "./url-state.ts";

/** What the title begins with while a terminal fills the page: it names the pod. Empty for any other page. */
export function terminalTitle({ full, sel }: Pick<UrlState, "full" | "sel">): string {
  return full === "" ? "" : `${t("frame/terminal-of", { pod: sel.split("/").at(-1) ?? "" })} · `;
}
