import { SettingsAgentSchema } from "@binnacle/proto/dashboard-settings";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { changedFields, draftOf, fieldsOf, messageOf, remaining } from "./draft.ts";

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

test("the address of a new environment chooses an agent that may be chosen, of the project first, and a namespace", () => {
  const agent = (id: string, projectPath: string, isSharedWithUsers = true) =>
    create(SettingsAgentSchema, { id, name: "demo", projectPath, isSharedWithUsers });
  const draft = (query: string, ...agents: Parameters<typeof draftOf>[1]) => draftOf(new URLSearchParams(query), agents, "g/p");
  expect(draft("agent=demo&namespace=shop", agent("7", "g/other"), agent("8", "g/p"))).toEqual({ agentId: "8", namespaces: "shop" });
  expect(draft("agent=demo", agent("7", "g/other"))).toEqual({ agentId: "7" });
  expect(draft("agent=demo", agent("7", "g/other", false))).toEqual({});
  expect(draft("agent=other", agent("8", "g/p"))).toEqual({});
  expect(draft("", agent("8", "g/p"))).toEqual({});
});
