"use client";
import type { ReactNode } from "react";
import { SignInWay } from "./sign-in-way.tsx";
import { TimeZoneChoice } from "./time-zone-choice.tsx";

/** What of the menu nobody needs before it is opened. */
export function MenuRest(): ReactNode {
  return (
    <>
      <TimeZoneChoice />
      <SignInWay />
    </>
  );
}
