/** Gives the focus to what stands for a node on the page: its card in the graph, its row in the list or the tree. */
export function focusNode(id: string): void {
  const holder = document.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`);
  const target = holder?.matches("button, [tabindex]") === true ? holder : holder?.querySelector<HTMLElement>("button, [tabindex]");
  target?.focus({ preventScroll: true });
}
