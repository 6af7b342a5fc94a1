import type { ReactNode } from "react";
import { isMacKeyboard, keyWords } from "./key-words.ts";

/** The keys of a shortcut as they stand on a keyboard. @param props.keys as `nameOfKey` says them */
export function Keys({ keys }: { readonly keys: string }): ReactNode {
  return (
    <span>
      {keyWords(keys, isMacKeyboard()).map((key, index) => (
        <kbd key={`${index} ${key}`}>{key}</kbd>
      ))}
    </span>
  );
}
