import { expect, test } from "vitest";
import { encodeAround, parseAround } from "./around-in-address.ts";

test("what is in the middle, and 1 to 9 lines away", () => {
  const around = { centre: "rbac.authorization.k8s.io/roles/shop/a,b", hops: 9 };
  expect(encodeAround(around)).toBe("9,rbac.authorization.k8s.io/roles/shop/a,b");
  expect(parseAround(encodeAround(around))).toEqual(around);
  expect(encodeAround({ ...around, hops: 10 })).toBe(encodeAround(around));
  expect(encodeAround({ centre: "", hops: 3 })).toBe("");
});

test.each([
  "",
  "0,core/pods/shop/web",
  "10,core/pods/shop/web",
  "core/pods/shop/web",
  "2,",
  ",core/pods/shop/web",
  "-1,a",
  "1.5,a",
  "many,a",
])("around %j is nothing", (text) => {
  expect(parseAround(text)).toEqual({ centre: "", hops: 1 });
});
