import { useSyncExternalStore } from "react";
import { COMFORTABLE, COMPACT, type Density } from "./geometry.ts";

const SMALL_WINDOW = "(max-width: 1023px)";

/** Small windows have small cards. Whether something is chosen does not matter: a click lays nothing out again. */
export function useDensity(): Density {
  return useSyncExternalStore(
    (told) => {
      const small = matchMedia(SMALL_WINDOW);
      small.addEventListener("change", told);
      return () => small.removeEventListener("change", told);
    },
    () => (matchMedia(SMALL_WINDOW).matches ? COMPACT : COMFORTABLE),
    () => COMFORTABLE,
  );
}
