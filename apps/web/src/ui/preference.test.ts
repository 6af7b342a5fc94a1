import { afterEach, expect, test, vi } from "vitest";
import { Preference } from "./preference.ts";

const isSize = (text: string): text is "big" | "small" => text === "big" || text === "small";

afterEach(() => vi.unstubAllGlobals());

function storage(kept: Record<string, string>): Record<string, string> {
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => (kept[key] = value),
  });
  return kept;
}

test("a preference is kept under its name, and what is no value of it is none", () => {
  const kept = storage({ "binnacle.size": "<script>" });
  const size = new Preference<"big" | "small">("size", "big", isSize);
  expect(size.get()).toBe("big");
  size.set("small");
  expect(kept["binnacle.size"]).toBe("small");
  expect(new Preference<"big" | "small">("size", "big", isSize).get()).toBe("small");
});

test("a browser that keeps nothing keeps it as long as the page lives", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("SecurityError");
    },
    setItem: () => {
      throw new Error("QuotaExceededError");
    },
  });
  const size = new Preference<"big" | "small">("size", "big", isSize);
  expect(size.get()).toBe("big");
  size.set("small");
  expect(size.get()).toBe("small");
});
