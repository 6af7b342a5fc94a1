"use client";
import { useEffect, useEffectEvent } from "react";

/** Something that a part of the page can do now. */
export interface Command {
  readonly id: string;
  readonly text: string;
  readonly run: () => void;
}

const COMMANDS = new Map<string, Command>();

/** What the parts that are on the page can do. */
export function commandsNow(): readonly Command[] {
  return [...COMMANDS.values()];
}

/** While the component is on the page, the command palette offers this. */
export function useCommand(id: string, text: string, run: () => void): void {
  const act = useEffectEvent(run);
  useEffect(() => {
    const command = { id, text, run: () => act() };
    COMMANDS.set(id, command);
    return () => {
      if (COMMANDS.get(id) === command) COMMANDS.delete(id);
    };
  }, [id, text]);
}
