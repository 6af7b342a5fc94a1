import type { Catalogue } from "../catalogue.ts";

/**
 * What must be known before reading on: one sentence a line. Facts: age, agent, at (a time), commit, kinds, reason, resource, said, shown (what
 * is shown meanwhile, or how many), since, total, wait, why.
 */
export const BANNER = {
  "banner/agent-away": "Agent {agent} is offline. {shown}",
  "banner/agent-away/since": "Agent {agent} has been offline since {since}. {shown}",
  "banner/agent-new": "Agent registered, waiting for first connection.",
  "banner/api-away":
    "Agent {agent} is connected, but the Kubernetes API behind it does not answer{has_said, select, no {} other {: {said}}}. {shown}",
  "banner/api-away/since":
    "Agent {agent} is connected, but the Kubernetes API behind it has not answered since {since}{has_said, select, no {} other {: {said}}}. {shown}",
  "banner/being-read": "The current state is being read. {shown}",
  "banner/configuration":
    "The newest agent configuration is broken: {reason}.{has_commit, select, no {} other { Commit {commit} stays in force.}}",
  "banner/kas-away": "kas (agent server) does not answer, so nothing is known of agent {agent}. {shown}",
  "banner/kas-away/since": "kas (agent server) has not answered since {since}, so nothing is known of agent {agent}. {shown}",
  "banner/kinds-fail": "{kinds}: {said}{has_wait, select, no {} other {; retrying in {wait}}}. The last data are shown.",
  "banner/kinds-fail/unknown": "{kinds}: {said}{has_wait, select, no {} other {; retrying in {wait}}}. Current state is unknown.",
  "banner/kinds-fail/error": "the Kubernetes API answers with an error",
  "banner/silent": "Nothing has been received for {age}. {shown}",
  "banner/truncated": "{kinds} shown.{has_why, select, no {} other { {why}.}} What is not shown is not in any count.",
  "banner/truncated/kind": "{resource}: {shown} of {total}",
  "banner/truncated/kind-in-part": "{resource}: {shown}, not all",
  "banner/truncated/more": "{kinds} and of {more, plural, one {{more} more kind} other {{more} more kinds}} not all",
  "banner/web-away": "Binnacle itself has not answered since {since}. {shown}",
  "banner/shown/as-of": "Showing data as of {at}. Trying again every few seconds.",
  "banner/shown/last-picture": "This is the last known state, of {at}{has_age, select, no {} other { ({age} ago)}}.",
  "banner/shown/last-picture-for-now":
    "This is the last known state, of {at}{has_age, select, no {} other { ({age} ago)}}. Trying again every few seconds.",
  "banner/shown/nothing": "Nothing has been read yet. Trying again every few seconds.",
  "banner/since": "{at}{has_age, select, no {} other { ({age})}}",
} as const satisfies Catalogue;
