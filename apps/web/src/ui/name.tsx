import type { ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import styles from "./name.module.css";
import { shortenMiddle, type MeasureText } from "@binnacle/presentation/text/shorten-middle";

/**
 * A name of a cluster where there is room for so much of it: shortened in its middle, whole for readers and while a pointer rests on it. In a
 * button or a link it is their name, whole.
 */
export function Name({ name, room, measure }: { readonly name: string; readonly room: number; readonly measure?: MeasureText }): ReactNode {
  const whole = drawnName(name);
  const shown = shortenMiddle(whole, room, measure);
  if (shown === whole) return whole;
  return (
    <span className={styles["name"]} title={whole}>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{whole}</span>
    </span>
  );
}
