// long: every screen in seven looks, seven minutes
import { turnsOf } from "../look/looks.ts";
import { testScreens } from "../look/screen-tests.ts";

testScreens("light and dark, on a phone and on a laptop, and in other looks in turn", turnsOf);
