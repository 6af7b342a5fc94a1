"use client";
import type { GetResourceResponse } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ReplicaBar } from "../../ui/replica-bar.tsx";
import { sayLater } from "../../ui/said.ts";
import { lookOf, statusOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { updatedOf } from "./updated-of.ts";
import { sayLaterWith } from "../../ui/say-with.ts";

/** Replicas that are ready, of those that are wanted; while a rollout goes on or fails, how many are of the new revision. */
export function Replicas(props: { readonly node: LiveNode; readonly answer: GetResourceResponse | undefined }): ReactNode {
  const { node, answer } = props;
  const look = lookOf(statusOf(node));
  const updated = updatedOf(answer?.facts ?? []);
  const ready = Math.max(0, node.ready);
  return (
    <section>
      <h3>{sayLater("resource-detail/replicas")}</h3>
      <div className="row">
        <ReplicaBar ready={ready} wanted={node.wanted} rest={look} />
        <span className="num">
          {sayLaterWith("resource-detail/ready-of-wanted", { ready: <b className="b">{ready}</b>, wanted: node.wanted })}
        </span>
      </div>
      {updated !== undefined && updated.count < updated.total && (
        <div className="row">
          <ReplicaBar ready={updated.count} wanted={updated.total} rest={look} />
          <span className="num">{sayLater("drawer/updated", { ...updated })}</span>
        </div>
      )}
    </section>
  );
}
