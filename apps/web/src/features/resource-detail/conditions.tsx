"use client";
import type { Condition } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond, millisOf } from "../../ui/format-time.ts";
import { LongText } from "../../ui/long-text.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { conditionLook } from "./condition-look.ts";
import { sayLater } from "../../ui/said.ts";
import styles from "./drawer.module.css";

/** Conditions as a checklist; what one that is not as it should be says stands below it. */
export function Conditions({ conditions }: { readonly conditions: readonly Condition[] }): ReactNode {
  return (
    <section>
      <h3>{sayLater("resource-detail/conditions")}</h3>
      <table className={styles["conditions"]}>
        <caption className="visually-hidden">{sayLater("resource-detail/conditions")}</caption>
        <tbody>
          {conditions.map((condition) => (
            <ConditionRow key={condition.type} condition={condition} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function ConditionRow({ condition }: { readonly condition: Condition }): ReactNode {
  const now = useNow(60_000);
  const { type, status, reason, message, since } = condition;
  const look = conditionLook(condition);
  return (
    <tr className={look} translate="no" title={message.slice(0, 1_000)}>
      <td>
        <StateGlyph look={look} size={14} />
      </td>
      <th scope="row">{type}</th>
      <td>{status}</td>
      <td className="muted">
        {reason}
        {since !== undefined && (
          <>
            {reason === "" ? "" : ", "}
            <ExactTime atMs={millisOf(since)} now={now}>
              {formatSecond(millisOf(since), now)}
            </ExactTime>
          </>
        )}
        {look === "degraded" && message !== "" && (
          <div className={styles["wrap"]}>
            <LongText text={message} />
          </div>
        )}
      </td>
    </tr>
  );
}
