"use client";
import type { Why, WhyLink } from "@binnacle/proto/dashboard";
import { WhyLevel, type HealthStatus } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { messageText, t } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { lookOf } from "../live/health-status.ts";
import { useRefLink } from "../resource/cluster-node-link.tsx";
import { changeParts, changeWhen, iconOfLink, nameOfLink, nameOfRef, linkText } from "@binnacle/presentation/health/why-words";
import styles from "./why.module.css";

/** From the resource down to the root reason, each link with its own reason; below the environment when its name is given. */
export function WhyChain({ why, environment = "" }: { readonly why: Why; readonly environment?: string }): ReactNode {
  const last = why.chain.length - 1;
  return (
    <ol className={styles["chain"]} aria-label={t("why/chain-to-root")}>
      {environment !== "" && (
        <li>
          <Icon name="env" size={14} />
          <span className={styles["name"]}>
            <span className="visually-hidden">{t("ui/environment")} </span>
            <span translate="no">{environment}</span>
          </span>
        </li>
      )}
      {why.chain.map((link, index) => (
        <Link
          key={`${link.level}${link.ref?.group}/${link.ref?.kind}/${link.ref?.namespace}/${link.ref?.name}/${link.container}`}
          link={link}
          before={why.chain[index - 1]}
          root={index === last}
          worst={why.chain.reduce((worst, { status }) => (status > worst ? status : worst), link.status)}
        />
      ))}
    </ol>
  );
}

function Link(props: {
  readonly link: WhyLink;
  readonly before: WhyLink | undefined;
  readonly root: boolean;
  readonly worst: HealthStatus;
}): ReactNode {
  const { link, before, root, worst } = props;
  // The cause is as bad as what it has caused, whatever it says of itself.
  const status = root ? worst : link.status;
  const now = useNow(10_000);
  const { what, name } = nameOfLink(link, before);
  const target = useRefLink(link.level === WhyLevel.RESOURCE || link.level === WhyLevel.REFERENCE ? link.ref : undefined);
  // Icons of resources speak for their kinds, except at the root, which is read alone.
  const quiet = !root && link.level === WhyLevel.RESOURCE;
  // A kind, or the reason of an event: the words of Kubernetes.
  const isForeign = link.level === WhyLevel.EVENT ? link.reason !== "" : link.level !== WhyLevel.CONTAINER;
  const reason = messageText(link.words);
  const title = link.since === undefined ? reason : t("why/since", { what: reason, at: formatSecond(millisOf(link.since), now) });
  return (
    <li className={`${lookOf(status)} ${root ? styles["root"] : ""}`} {...(root ? { "data-root": "" } : {})}>
      {root ? <StateGlyph look={lookOf(status)} size={14} /> : <Icon name={iconOfLink(link)} size={14} />}
      <span className={styles["name"]}>
        {root && <span className="visually-hidden">{t("why/root-cause")} </span>}
        <span className={quiet ? "visually-hidden" : styles["what"]} translate={isForeign ? "no" : undefined}>
          {what}{" "}
        </span>
        {target ?? <span translate="no">{name}</span>}
      </span>
      <span className={styles["reason"]} title={title} translate={link.reason === "" ? undefined : "no"}>
        {linkText(link)}
      </span>
    </li>
  );
}

/** A sentence, and how it is drawn; absent: as text. */
interface DrawnText {
  readonly text: string;
  readonly draw?: (shown: string) => ReactNode;
}

/** What to do next, on a line of its own. */
export function NextStep({ text, draw = (shown) => shown }: DrawnText): ReactNode {
  if (text === "") return null;
  return (
    <p className={styles["next"]}>
      <b>{t("why/next-step")}</b> {draw(text)}
    </p>
  );
}

/** The last change before it went bad, with what changed and how long before. */
export function PrecedingChange({ why }: { readonly why: Why }): ReactNode {
  const now = useNow(10_000);
  const change = why.precededBy;
  const target = useRefLink(change?.ref);
  if (change === undefined) return null;
  const when = changeWhen(why, now);
  const { before, name, after } = changeParts(change);
  return (
    <p className={styles["change"]} data-change={change.what}>
      <b>{t("why/preceding-change")}</b> {before}
      {name === "" ? ", " : ""}
      {target ?? (name === "" ? nameOfRef(change.ref) : name)}
      {after}
      {when !== "" && (
        <>
          {", "}
          {change.at === undefined ? (
            when
          ) : (
            <ExactTime atMs={millisOf(change.at)} now={now}>
              {when}
            </ExactTime>
          )}
        </>
      )}
    </p>
  );
}
