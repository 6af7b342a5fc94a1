import { fieldsAt, fieldsOf, groupOf, listAt, numberAt, quantityOf, textAt, type Fields } from "@binnacle/kube";
import { quoted, words } from "@binnacle/words";

import type { Details, DetailInput, Item, Row } from "../detail-parts/details.ts";
import { link, plain, row, saying, scalarText, section, time } from "../detail-parts/rows.ts";

/** What it scales, between how many and how many, and each metric against its target. */
export function autoscalerDetails({ spec, status, namespace }: DetailInput): Partial<Details> {
  const target = fieldsAt(spec, "scaleTargetRef");
  const [current, desired] = [numberAt(status, "currentReplicas"), numberAt(status, "desiredReplicas")];
  const facts = [
    ...row(
      "detail/scales",
      link({ group: groupOf(textAt(target, "apiVersion")), kind: textAt(target, "kind"), name: target["name"], namespace }),
    ),
    ...row("detail/range", saying("detail/from-to", { from: numberAt(spec, "minReplicas") ?? 1, to: scalarText(spec["maxReplicas"]) })),
    ...row("detail/replicas-now", plain(current)),
    ...row("detail/replicas-wanted", plain(desired, current !== desired ? "busy" : undefined)),
    ...row("detail/last-scaled", time(status["lastScaleTime"])),
  ];
  const now = listAt(status, "currentMetrics").map(fieldsOf);
  const rows = listAt(spec, "metrics").flatMap((metric) => metricRow(fieldsOf(metric), now));
  return { facts, sections: section("detail/metrics", { rows: rows.length > 0 ? rows : plainTarget(spec, status) }) };
}

/** How version 1 says it. */
function plainTarget(spec: Fields, status: Fields): Row[] {
  const target = numberAt(spec, "targetCPUUtilizationPercentage");
  if (target === undefined) return [];
  return row(quoted("cpu"), valueItem(percent(numberAt(status, "currentCPUUtilizationPercentage")), percent(target)));
}

function metricRow(metric: Fields, now: readonly Fields[]): Row[] {
  const named = namedMetric(metric);
  if (named === undefined) return [];
  const current = now.find((each) => namedMetric(each)?.id === named.id);
  return row(
    named.label,
    valueItem(current && valueText(fieldsAt(namedMetric(current)?.body, "current")), valueText(fieldsAt(named.body, "target"))),
  );
}

function namedMetric(
  metric: Fields,
): { readonly id: string; readonly label: ReturnType<typeof quoted>; readonly body: Fields } | undefined {
  const type = textAt(metric, "type");
  const body = fieldsAt(metric, `${type.slice(0, 1).toLowerCase()}${type.slice(1)}`);
  const name = textAt(body, "name") || textAt(fieldsAt(body, "metric"), "name");
  const container = textAt(body, "container");
  if (name === "") return undefined;
  const label = type === "Resource" ? quoted(name) : words("detail/metric-of", { name, type, container });
  return { id: [type, name, container, textAt(fieldsAt(body, "describedObject"), "name")].join(" "), label, body };
}

function valueText(value: Fields): string {
  const utilization = numberAt(value, "averageUtilization");
  return utilization === undefined ? scalarText(value["averageValue"]) || scalarText(value["value"]) : percent(utilization);
}

function percent(value: number | undefined): string {
  return value === undefined ? "" : `${value}%`;
}

function valueItem(current: string | undefined, target: string): Item {
  if (!current) return saying("detail/metric-unknown", { target }, "bad");
  const [now, wanted] = [quantityOf(current.replace("%", "")), quantityOf(target.replace("%", ""))];
  const share = now !== undefined && wanted !== undefined && wanted > 0 ? { share: now / wanted } : {};
  return { ...saying("detail/metric-value", { current, target }), ...share };
}
