"use client";
import { Preference } from "../preference.ts";

/** Whether shortcuts of one character act. Who speaks to the computer, or is easily too quick, switches them off. */
export const SINGLE_KEYS = new Preference<"on" | "off">("single-keys", "on", (text) => text === "on" || text === "off");
