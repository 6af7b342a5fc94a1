import { expect, test } from "vitest";
import { changedFields, fieldsOf, messageOf, remaining } from "./draft.ts";

const SAVED = { agentId: "3", namespaces: ["shop", "jobs"], selector: "app=web", inventoryId: "", fluxResourcePath: "" };

test("settings are the same after they were shown in a form", () => {
  expect(messageOf(fieldsOf(SAVED))).toEqual(SAVED);
  expect(fieldsOf(undefined)).toEqual({ agentId: "", namespaces: "", selector: "", inventoryId: "", fluxResourcePath: "" });
});

test("namespaces are separated by commas, spaces or lines, each once", () => {
  expect(messageOf({ ...fieldsOf(SAVED), namespaces: " a,b\n a  c," }).namespaces).toEqual(["a", "b", "c"]);
});

test("only a field with another value has changed", () => {
  const fields = fieldsOf(SAVED);
  expect(changedFields(fields, {})).toEqual([]);
  expect(changedFields(fields, { namespaces: "jobs shop", selector: " app=web " })).toEqual([]);
  expect(changedFields(fields, { agentId: "", namespaces: "shop" })).toEqual(["agentId", "namespaces"]);
});

test("a draft loses what was saved and has the rest", () => {
  const draft = { agentId: "9", selector: "app=api" };
  expect(remaining({ ...fieldsOf(SAVED), selector: "app=api" }, draft)).toEqual({ agentId: "9" });
});
