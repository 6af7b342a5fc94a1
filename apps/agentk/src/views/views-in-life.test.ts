import { expect, test } from "vitest";

import type { LifeMoment } from "../life/agent-life.ts";
import { ViewsInLife } from "./views-in-life.ts";

test("the first view of a kind and the end of the last are noted, and neither how many nor of whom; questions are no views", () => {
  const noted: LifeMoment[] = [];
  const views = new ViewsInLife({ note: (moment) => void noted.push(moment) });
  const [one, other, events, question] = [
    views.begun("environment"),
    views.begun("environment"),
    views.begun("events"),
    views.begun("changes"),
  ];
  for (const ended of [one, question, other, events]) ended();
  views.begun("environment");
  expect(noted).toEqual([
    { what: "views-begun", view: "environment" },
    { what: "views-begun", view: "events" },
    { what: "views-ended", view: "environment" },
    { what: "views-ended", view: "events" },
    { what: "views-begun", view: "environment" },
  ]);
});
