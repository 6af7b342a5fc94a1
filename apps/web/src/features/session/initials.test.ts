import { expect, test } from "vitest";
import { initialsOf } from "./user-menu.tsx";

test("the first letters of the first two words, whatever separates them", () => {
  expect(initialsOf("Mara Lindqvist")).toBe("ML");
  expect(initialsOf("mara.von-lind")).toBe("MV");
  expect(initialsOf("outsider")).toBe("O");
});

test("a letter of two code units stays whole", () => {
  expect(initialsOf("𐐨da")).toBe("𐐀");
});
