import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { tLater } from "../../ui/messages.ts";
import styles from "./sign-in.module.css";

/** Sentences for `?problem=` of the sign-in page, which the server sets. */
const PROBLEMS = {
  denied: "sign-in/problem/denied",
  refused: "sign-in/problem/refused",
  unavailable: "sign-in/problem/unavailable",
  "not-begun": "sign-in/problem/not-begun",
  "not-accepted": "sign-in/problem/not-accepted",
  "too-many-groups": "sign-in/problem/too-many-groups",
  "too-large": "sign-in/problem/too-large",
  "too-often": "sign-in/problem/too-often",
} as const;

/** Where a viewer signs in. */
export interface SignInNames {
  /** The main application. */
  readonly application: string;
  /** What the button leads to. */
  readonly provider: string;
}

/** How the last sign-in or sign-out went, as the address says; nothing for what it does not say. */
export function SignInNotices({ query, names }: { readonly query: Pick<URLSearchParams, "get">; readonly names: SignInNames }): ReactNode {
  const problem = query.get("problem");
  const signedOut = query.get("signed_out");
  return (
    <>
      {problem !== null && isProblem(problem) && (
        <p role="alert" className={styles["problem"]}>
          <Icon name="info" size={14} /> {tLater(PROBLEMS[problem], { application: names.application, provider: names.provider })}
        </p>
      )}
      {(signedOut === "here" || signedOut === "everywhere") && (
        <output className={styles["notice"]}>
          {tLater(signedOut === "here" ? "sign-in/signed-out/here" : "sign-in/signed-out/everywhere", { provider: names.provider })}
        </output>
      )}
    </>
  );
}

function isProblem(name: string): name is keyof typeof PROBLEMS {
  return Object.hasOwn(PROBLEMS, name);
}
