/** "deployments/web" of a selection (`selectionOf`): what kubectl calls it. */
export function nameOfSelection(selection: string): string {
  const [, resource = "", , ...name] = selection.split("/");
  return `${resource}/${name.join("/")}`;
}
