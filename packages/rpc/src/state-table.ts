/** Which event leads from which state to which. An event without an entry cannot happen in that state. */
export type StateTable<State extends string, Event extends string> = Readonly<Record<State, Readonly<Partial<Record<Event, State>>>>>;

/**
 * The state after `event`.
 *
 * @throws Error when the event cannot happen in that state: a mistake of the program, never of its input
 */
export function nextState<State extends string, Event extends string>(
  table: StateTable<State, Event>,
  state: NoInfer<State>,
  event: NoInfer<Event>,
): State {
  const next = table[state][event];
  if (next === undefined) throw new Error(`"${event}" cannot happen in the state "${state}"`);
  return next;
}

/**
 * The same for states with data.
 *
 * @param change what happens, and the state after it
 * @throws Error when the event cannot happen in that state, or leads to a state of another name
 */
export function changeState<State extends { readonly name: string }, Event extends string>(
  table: StateTable<State["name"], Event>,
  state: State,
  change: { readonly event: NoInfer<Event>; readonly next: NoInfer<State> },
): State {
  const { event, next } = change;
  const name = nextState<State["name"], Event>(table, state.name, event);
  if (name !== next.name) throw new Error(`"${event}" leads from the state "${state.name}" to "${name}", not to "${next.name}"`);
  return next;
}
