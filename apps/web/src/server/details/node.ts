import { fieldsAt, fieldsOf, listAt, textAt, type Fields } from "@binnacle/kube";
import { quoted } from "@binnacle/words";

import type { Details, DetailInput, Item } from "../detail-parts/details.ts";
import { plain, row, saying, scalarText, section, time } from "../detail-parts/rows.ts";

const ROLE = "node-role.kubernetes.io/";

/** What a node is, what it has room for, and what keeps pods away from it. */
export function nodeDetails({ metadata, spec, status }: DetailInput): Partial<Details> {
  const info = fieldsAt(status, "nodeInfo");
  const labels = fieldsAt(metadata, "labels");
  const roles = Object.keys(labels).flatMap((key) => (key.startsWith(ROLE) ? [key.slice(ROLE.length)] : []));
  const taints = listAt(spec, "taints").map((each) => {
    const value = textAt(each, "value");
    const taint = plain(`${textAt(each, "key")}${value === "" ? "" : `=${value}`}:${textAt(each, "effect")}`);
    return taint && { ...taint, ...time(fieldsOf(each)["timeAdded"]) };
  });
  const addresses = listAt(status, "addresses").map((each) => plain(`${textAt(each, "address")} (${textAt(each, "type")})`));
  const facts = [
    ...row("detail/schedulable", takesPods(spec)),
    ...row("detail/roles", ...roles.map((role) => plain(role))),
    ...row("detail/addresses", ...addresses),
    ...row("detail/taints", ...taints),
    ...row("detail/zone", plain(labels["topology.kubernetes.io/zone"])),
    ...row("detail/instance", plain(labels["node.kubernetes.io/instance-type"])),
    ...row("detail/kubelet", plain(info["kubeletVersion"])),
    ...row("detail/runtime", plain(info["containerRuntimeVersion"])),
    ...row("detail/system", plain(info["osImage"]), plain(info["kernelVersion"]), plain(info["architecture"])),
  ];
  const [has, gives] = [fieldsAt(status, "capacity"), fieldsAt(status, "allocatable")];
  const rows = Object.keys({ ...has, ...gives }).flatMap((name) =>
    row(quoted(name), saying("detail/allocatable-of", { free: scalarText(fieldsOf(gives)[name]) || "0", total: scalarText(has[name]) })),
  );
  return { facts, sections: section("detail/room", { rows }) };
}

/** Whether the scheduler may place pods there. */
function takesPods(spec: Fields): Item {
  if (spec["unschedulable"] === true) return saying("detail/cordoned", {}, "busy");
  const isTainted = listAt(spec, "taints").some((each) => textAt(each, "effect") !== "PreferNoSchedule");
  return isTainted ? saying("detail/tolerating-only") : saying("detail/yes");
}
