"use client";
import { useSyncExternalStore } from "react";
import type { GraphSession } from "./graph-session.ts";
import { NO_PICTURE, type Picture } from "./picture.ts";

/** The picture of a session; renders when the layout has answered. Without a session there is nothing on it. */
export function usePicture(session: GraphSession | undefined): Picture {
  const read = session?.picture ?? nothing;
  return useSyncExternalStore(session?.onPicture ?? never, read, read);
}

const nothing = (): Picture => NO_PICTURE;
const never = () => () => {};
