import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PrintedTable } from "./printed-table.tsx";

function printed(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => ({ id: `${index}`, name: index === 0 ? "<b>evil</b>" : `pod-${index}` }));
  const columns = [{ key: "name", title: "Name", textOf: ({ name }: { readonly name: string }) => name }];
  return renderToStaticMarkup(<PrintedTable table={{ columns, rows }} label="Resources" />);
}

test("every row goes to paper, whatever is on the screen, and a name is only text", () => {
  const html = printed(600);
  expect(html.match(/<tr>/g)).toHaveLength(601);
  expect(html).toContain("&lt;b&gt;evil&lt;/b&gt;");
  expect(html).not.toContain("rows are printed");
});

test("a book is not printed: it says how much of it is", () => {
  const html = printed(10_001);
  expect(html.match(/<tr>/g)).toHaveLength(10_001);
  expect(html).toContain("The first 10000 of 10001 rows are printed; CSV has all of them");
});
