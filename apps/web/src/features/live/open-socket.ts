import { withPrefix } from "../../ui/path-prefix.ts";

/** Opens the WebSocket that a ticket is for. The ticket goes as a subprotocol, because addresses are logged. */
export function openSocket(ticket: string): WebSocket {
  const url = `${location.origin.replace(/^http/, "ws")}${withPrefix("/api/socket")}`;
  return new WebSocket(url, ["binnacle.v1", `ticket.${ticket}`]);
}
