import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { clusterNodeOf, clusterNodeSelection } from "./cluster-node-link.tsx";
import { WithNodeNames } from "./with-node-names.tsx";

function drawn(text: string, ...names: readonly string[]): string {
  return renderToStaticMarkup(<WithNodeNames text={text} names={names} link={(name) => <a href={`#${name}`}>{name}</a>} />);
}

test.each([
  ["Node n-1 is not ready", ["n-1"], 'Node <a href="#n-1">n-1</a> is not ready'],
  ["n-1", ["n-1"], '<a href="#n-1">n-1</a>'],
  ["the kubelet of node n-1.", ["n-1"], 'the kubelet of node <a href="#n-1">n-1</a>.'],
  ["n-1. Then n-1: again", ["n-1"], '<a href="#n-1">n-1</a>. Then <a href="#n-1">n-1</a>: again'],
  ["n-1 and n-2", ["n-2", "n-1"], '<a href="#n-1">n-1</a> and <a href="#n-2">n-2</a>'],
])("S2: the name of a node in %j is a link, wherever it stands", (text, names, expected) => {
  expect(drawn(text, ...names)).toBe(expected);
});

test.each(["n-10 is not ready", "pod in-1 is not ready", "n-1.example.com is away", "web-n-1", "n-1_x"])(
  "S2: a name inside of the longer name in %j is none",
  (text) => {
    expect(drawn(text, "n-1")).toBe(text);
  },
);

test("S2: names that are empty or strange leave the sentence as it is", () => {
  expect(drawn("a <b> c", "", "zzz")).toBe("a &lt;b&gt; c");
  expect(drawn("n ".repeat(50_000), "n-1").length).toBe(100_000);
});

test("S2: only the selection of a Node names one", () => {
  expect(clusterNodeOf(clusterNodeSelection("ip-10-0-0-1.eu.example"))).toBe("ip-10-0-0-1.eu.example");
  for (const other of ["", "core/nodes//", "core/nodes/ns/n", "core/pods//n", "core/nodes//a/b", "x/nodes//n"])
    expect(clusterNodeOf(other)).toBeUndefined();
});
