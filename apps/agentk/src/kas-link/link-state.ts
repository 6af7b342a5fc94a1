import type { StateTable } from "@binnacle/rpc";

/**
 * `connecting` one dial is in progress, and there is no session for new calls · `open` there is one · `replacing` kas has sent GOAWAY: the old
 * session finishes what runs on it while the next one is dialled · `waiting` the delay before the next dial · `stopped` for good.
 */
export type LinkState = "connecting" | "open" | "replacing" | "waiting" | "stopped";

/** `goaway` is that of a session to be replaced at once; one that was too young for that has `ended`. */
export type LinkEvent = "opened" | "dial-failed" | "goaway" | "ended" | "delay-over" | "stop";

/** Every change of state of the link. */
export const LINK_STATES: StateTable<LinkState, LinkEvent> = {
  connecting: { opened: "open", "dial-failed": "waiting", stop: "stopped" },
  open: { goaway: "replacing", ended: "waiting", stop: "stopped" },
  replacing: { opened: "open", "dial-failed": "waiting", stop: "stopped" },
  waiting: { "delay-over": "connecting", stop: "stopped" },
  stopped: {},
};
