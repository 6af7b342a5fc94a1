"use client";
import type { Source } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import type { PopoverProps } from "../../ui/popover.tsx";
import { messageText, t } from "../../ui/messages.ts";
import { useView } from "../live/environment-context.tsx";
import { PillPanel } from "./pill-panel.tsx";
import { tElements } from "../../ui/message-elements.ts";

/** What is not visible, as whom, and which rule is missing. */
export function AccessPanel({
  sources,
  renderButton,
}: Pick<PopoverProps, "renderButton"> & { readonly sources: readonly Source[] }): ReactNode {
  return (
    <PillPanel title={t("environment/explain-my-access")} renderButton={renderButton}>
      <AccessDetails sources={sources} />
    </PillPanel>
  );
}

/** The viewer's identity, and for each kind that is not visible the missing rule and the answer of the API server. */
export function AccessDetails({ sources }: { readonly sources: readonly Source[] }): ReactNode {
  const { viewer, health } = useView();
  return (
    <>
      <dl className="facts">
        <dt>{t("environment/you-are")}</dt>
        <dd className="mono" translate="no">
          {viewer?.clusterUsername === "" ? viewer.username : (viewer?.clusterUsername ?? "")}
        </dd>
        {viewer !== undefined && viewer.clusterGroups.length > 0 && (
          <>
            <dt>{t("ui/groups")}</dt>
            <dd className="mono" translate="no">
              {viewer.clusterGroups.join(", ")}
            </dd>
          </>
        )}
      </dl>
      {health?.partial === true && <p>{t("environment/health-partial")}</p>}
      <ul>
        {sources.map((source) => (
          <li key={`${source.group}/${source.resource}/${source.namespace}`}>
            <b className="b" translate="no">
              {source.group === "" ? source.resource : `${source.resource}.${source.group}`}
            </b>
            {source.countsForHealth && <span className="tag">{t("environment/counts-for-health")}</span>}
            <p>
              {tElements("environment/missing-rule", {
                verbs: <span className="mono">get, list, watch</span>,
                resource: (
                  <span className="mono" translate="no">
                    {source.resource}
                  </span>
                ),
                namespace: source.namespace,
              })}
            </p>
            {source.words !== undefined && <p className="muted">{messageText(source.words)}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}
