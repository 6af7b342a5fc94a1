import { describe, expect, test } from "vitest";

import { compileCatalogue } from "./compile-messages.ts";
import { Renderer } from "./renderer.ts";
import { NOT_KNOWN, quoted, type FactValue, type Words } from "./words.ts";

const CATALOGUE = compileCatalogue({
  [NOT_KNOWN]: "not known",
  plain: "It is so",
  named: "{kind} {name} is gone{has_by, select, no {} other {; {by} needs it}}{has_code, select, no {} other { ({code})}}",
  capital: "{What} ends",
  plural: "{count, plural, one {{count} pod waits} other {{count} pods wait}}",
  exact: "{count, plural, =0 {no pod waits} other {{count} pods wait}}",
  choice: "{state, select, lost {It is lost} other {It is {state}}}",
  nested: "{names} (and {more} more)",
  quoting: "It reports{has_text, select, no {} other {: {text}}}",
});

const english = new Renderer(CATALOGUE, "en");

/** A message with any id: one from another build may have an id that this build does not know. */
function message(id: string, facts: Words["facts"] = {}): Words {
  return { id, facts };
}

describe("a sentence", () => {
  test("has its facts in their places", () => {
    expect(english.text(message("named", { kind: "Secret", name: "tls", by: "Pod web", code: 7 }))).toBe(
      "Secret tls is gone; Pod web needs it (7)",
    );
  });

  test("leaves out the parts of which a fact is absent or empty, and no others", () => {
    expect(english.text(message("named", { kind: "Secret", name: "tls", by: "", code: 0 }))).toBe("Secret tls is gone (0)");
    expect(english.text(message("quoting", { text: quoted("") }))).toBe("It reports");
    expect(english.text(message("named", { kind: "Secret", name: "tls", by: [] }))).toBe("Secret tls is gone");
  });

  test("keeps what stands in facts as it is, however much it looks like a message", () => {
    expect(english.text(message("quoting", { text: quoted("{name} [x] $1 $&") }))).toBe("It reports: {name} [x] $1 $&");
    expect(english.text(message("plural", { count: "$&" }))).toBe("$& pods wait");
  });

  test("begins with a capital where the name of the placeholder does", () => {
    expect(english.text(message("capital", { what: quoted("nothing known") }))).toBe("Nothing known ends");
  });

  test("takes the plural of its language", () => {
    expect([0, 1, 2].map((count) => english.text(message("plural", { count })))).toEqual(["0 pods wait", "1 pod waits", "2 pods wait"]);
    const forms = "one {{count} pod} few {{count} pody} many {{count} podów} other {{count} poda}";
    const polish = new Renderer(compileCatalogue({ plural: `{count, plural, ${forms}}` }), "pl");
    expect([1, 3, 5, 1.5].map((count) => polish.text(message("plural", { count })))).toEqual(["1 pod", "3 pody", "5 podów", "1.5 poda"]);
  });

  test("takes the text of an exact number, does not group digits, and has no text for an absent number", () => {
    expect([0, 10_000, ""].map((count) => english.text(message("exact", { count })))).toEqual(["no pod waits", "10000 pods wait", ""]);
  });

  test("takes the text of a value, and that of the rest for any other", () => {
    const states = ["lost", "late", "constructor"].map((state) => english.text(message("choice", { state })));
    expect(states).toEqual(["It is lost", "It is late", "It is constructor"]);
  });

  test("joins lists as its language does, without what is empty", () => {
    const names = ["a", quoted("b"), "", message("plain")];
    expect(english.text(message("nested", { names, more: 2 }))).toBe("a, b, It is so (and 2 more)");
    const german = new Renderer(compileCatalogue({ list: "{names}" }), "de");
    expect(german.text(message("list", { names: ["a", "b", "c"] }))).toBe("a, b und c");
  });
});

describe("unexpected input", () => {
  test("an id that the catalogue does not have is shown as not known, without its facts, also in a message", () => {
    expect(english.text(message("crash/new", { container: "app", code: 3, how: message("plain") }))).toBe("not known");
    expect(english.text(message("capital", { what: message("crash/new") }))).toBe("Not known ends");
    expect(new Renderer({}, "en").text(message("crash/new"))).toBe("");
  });

  test("an id that the previous release sends is shown as the message that replaces it", () => {
    const renamed = new Renderer(compileCatalogue({ [NOT_KNOWN]: "not known", "sync-issue/cause": "because of {why}" }), "en");
    expect(renamed.text(message("sync-issue/failed-why", { why: "a quota" }))).toBe("because of a quota");
    expect(renamed.text(message("detail/nobody"))).toBe("not known");
  });

  test("names of properties that every object has are no ids and no facts", () => {
    expect(english.text(message("constructor"))).toBe("not known");
    expect(new Renderer(compileCatalogue({ odd: "{toString}!" }), "en").text(message("odd"))).toBe("!");
  });

  test("a sentence in a sentence in a sentence ends", () => {
    let deep: FactValue = "end";
    for (let depth = 0; depth < 10_000; depth += 1) deep = depth % 2 === 0 ? message("quoting", { text: deep }) : [deep];
    expect(english.text(message("quoting", { text: deep }))).toMatch(/^It reports: .*…$/);
  });

  test("a list in a list ends", () => {
    let deep: FactValue = "end";
    for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
    expect(english.text(message("quoting", { text: deep }))).toBe("It reports: …");
  });

  test("an absent message is no text", () => expect(english.text(undefined)).toBe(""));
});
