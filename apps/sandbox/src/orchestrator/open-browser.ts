import { spawn } from "node:child_process";

import { findExecutable } from "./executable.ts";

/** Opens the address in the user's browser where there is a desktop; failing to is no failure. */
export function openBrowser(url: string): void {
  const opener = findExecutable("xdg-open", "open");
  const hasDesktop = process.env["DISPLAY"] !== undefined || process.env["WAYLAND_DISPLAY"] !== undefined || process.platform === "darwin";
  if (opener === undefined || !hasDesktop || !process.stdout.isTTY) return;
  const child = spawn(opener, [url], { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}
