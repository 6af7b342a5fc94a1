import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { madeEdge, madeNode } from "../live/made-view.ts";
import { EdgeNotes } from "./relations-tab.tsx";

const SERVICE = madeNode({ id: "api", ref: { kind: "Service", namespace: "backend", name: "api" } });

function notes(fields: object): string {
  return renderToStaticMarkup(<EdgeNotes edge={madeEdge({ id: "e", kind: "route-svc", edgeClass: "route", ...fields })} to={SERVICE} />);
}

test("W20: a relation says that its port is missing, and that it is refused, with a sign and not by colour alone", () => {
  const html = notes({ portMissing: true, missingPorts: ["8080"], refused: true });
  expect(html).toMatch(/data-note="fault"><svg.*<\/svg> refused: no ReferenceGrant in namespace backend allows it/);
  expect(html).toMatch(/data-note="fault"><svg.*<\/svg> port 8080 is not a port of the Service/);
});

test("W20: a relation says whether its endpoint is ready, and its share of the traffic", () => {
  expect(notes({ ready: false })).toMatch(/data-note="idle"><svg.*not ready: takes no traffic/);
  expect(notes({ ready: true, weight: 9, share: 0.9 })).toMatch(/data-note="plain"> ready<.*data-note="plain"> weight 90 %</);
  expect(notes({})).toBe("");
});
