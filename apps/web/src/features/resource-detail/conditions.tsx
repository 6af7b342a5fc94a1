"use client";
import type { Condition } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond, millisOf } from "../../ui/format-time.ts";
import { LongText } from "../../ui/long-text.tsx";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { tLater } from "../../ui/messages.ts";
import styles from "./drawer.module.css";

/** Types that are bad when they are True. */
const NEGATIVE = /(Failure|Failed|Failing|Error|Degraded|Stalled|Pressure|Conflict|Unavailable|Terminating|DisruptionTarget)$/;
/** Types whose False is neither good nor bad. */
const NEUTRAL_FALSE = /^(ScalingLimited|Suspended|Paused|Reconciling|Updating|FailureTarget|SuccessCriteriaMet|Complete)$/;

/** Conditions as a checklist; what one that is not as it should be says stands below it. */
export function Conditions({ conditions }: { readonly conditions: readonly Condition[] }): ReactNode {
  return (
    <section>
      <h3>{tLater("resource-detail/conditions")}</h3>
      <table className={styles["conditions"]}>
        <caption className="visually-hidden">{tLater("resource-detail/conditions")}</caption>
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

/** Glyph of a condition in the checklist. A look for reading only: health is decided by the server. */
function conditionLook(condition: Pick<Condition, "type" | "status" | "reason">): StateLook {
  const status = condition.status.toLowerCase();
  if (status !== "true" && status !== "false") return "unknown";
  const isTrue = status === "true";
  if (NEGATIVE.test(condition.type)) return isTrue ? "degraded" : "healthy";
  if (NEUTRAL_FALSE.test(condition.type)) return isTrue ? "progressing" : "neutral";
  if (condition.type === "Progressing") {
    if (!isTrue) return "degraded";
    return condition.reason === "NewReplicaSetAvailable" ? "healthy" : "progressing";
  }
  return isTrue ? "healthy" : "degraded";
}
