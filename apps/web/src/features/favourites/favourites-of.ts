"use client";
import { createContext } from "react";

/** Whose favourites are shown: the user name in the main application. */
export const FavouritesOf = createContext<string | undefined>(undefined);
